/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Filters: CPUs that need not be interrupted because they catch up by generation before they use the mm again. Each looks at one
 * word of each target, after the generation was incremented with full order; each word is written before a full barrier and a read
 * of the generation by its owner. So each filter is right by itself, in any combination: whoever is left out on what was read here
 * will read the new generation (the pairs are written out in mm/switch.c and mm/shootdown/track_mask.c).
 *
 * Not asked when page tables are freed: a walk cache may be used for as long as the root is loaded, lazily or not (as Linux
 * since 2ff6ddf19c0e).
 */
#include "arch/clock.h"
#include "machine.h"
#include "mm/shootdown/strategy.h"
#include "mm/switch.h"

COUNTER(skipped_lazy, "targets left out because they were lazy");
COUNTER(skipped_loaded, "targets left out because they ran another mm");
COUNTER(trims, "requests that were trim rounds");

static void lazy_apply(struct request *req, struct cpumask *targets)
{
	unsigned cpu;

	(void)req;
	for_each_cpu(cpu, targets) {
		/* Acquire: partner of the release in switch_lazy(). */
		if (load_acquire(&machine.cpu[cpu].tlb.lazy)) {
			cpumask_clear(targets, cpu);
			count(&counter_skipped_lazy, 1);
		}
	}
}

/* SWITCHING is taken in: that CPU may have read the old generation and not have said yet which mm it loads (Linux fea4e317f9e7). */
static void loaded_apply(struct request *req, struct cpumask *targets)
{
	unsigned cpu;

	if (req->trim || !req->mm)
		return;
	for_each_cpu(cpu, targets) {
		u64 loaded = load_relaxed(&machine.cpu[cpu].tlb.loaded);

		if (loaded != (u64)req->mm && loaded != LOADED_SWITCHING) {
			cpumask_clear(targets, cpu);
			count(&counter_skipped_loaded, 1);
		}
	}
}

/* Once a second a request also goes to CPUs that don't run the mm: they clear their bits (tracker.left()). */
static void trim_apply(struct request *req, struct cpumask *targets)
{
	u64 now = clock_now();

	(void)targets;
	if (!req->mm || now < load_relaxed(&req->mm->next_trim))
		return;
	store_relaxed(&req->mm->next_trim, now + clock_info()->khz * 1000);
	req->trim = true;
	count(&counter_trims, 1);
}

static const struct filter lazy = { .apply = lazy_apply };
static const struct filter loaded = { .apply = loaded_apply };
static const struct filter trim = { .apply = trim_apply };

CHOICE(filter_trim, .stage = STAGE_FILTER, .name = "trim", .order = 0, .needs = LOOKS_AT_LOADED | KEEPS_BITS | INTERRUPTS,
       .filter = &trim,
       .help = "once a second CPUs that don't run the mm are flushed too and clear their mm_cpumask bits (Linux 6.13 onwards)");
CHOICE(filter_loaded, .stage = STAGE_FILTER, .name = "loaded", .order = 1, .needs = CATCHES_UP | INTERRUPTS,
       .gives = LOOKS_AT_LOADED, .filter = &loaded,
       .help = "leave out CPUs in mm_cpumask that have another mm loaded (Linux 6.13 onwards)");
CHOICE(filter_lazy, .stage = STAGE_FILTER, .name = "lazy", .order = 2, .needs = CATCHES_UP | INTERRUPTS, .filter = &lazy,
       .help = "leave out lazy CPUs unless page tables are freed");
