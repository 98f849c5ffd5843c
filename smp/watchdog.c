/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The watchdog. A wait that lasts too long is looked at, not just timed: a virtual CPU that its host does not run is slow, not
 * stuck. First look: every other CPU is asked for a snapshot (a non-maskable interrupt where there is one). After that, once nobody
 * has made progress between two looks and each has answered, or after MAX_LOOKS, the run ends: each CPU is named with what it was
 * doing.
 *
 * State: the caller's struct watch; smp.progress and smp.snapshot of each CPU. No locks: it may run anywhere.
 */
#include "arch/clock.h"
#include "arch/irq.h"
#include "arch/upcall.h"
#include "check.h"
#include "lib/printf.h"
#include "machine.h"
#include "smp/watchdog.h"

#define MAX_LOOKS 8

u64 watch_start(struct watch *w)
{
	u64 now = clock_now();

	*w = (struct watch){ .deadline = now + machine.smp.watchdog_ticks };
	return now;
}

void upcall_snapshot(u64 pc, bool irqs_on)
{
	struct snapshot *s = &this_cpu()->smp.snapshot;

	store_relaxed(&s->pc, pc);
	store_relaxed(&s->irqs_on, irqs_on);
	store_release(&s->seq, load_relaxed(&s->seq) + 1);
}

static u64 progress_of_others(void)
{
	unsigned cpu;
	u64 sum = 0;

	for_each_cpu(cpu, &machine.smp.online)
		if (cpu != this_cpu()->id)
			sum += load_relaxed(&machine.cpu[cpu].smp.progress);
	return sum;
}

static bool all_answered(void)
{
	unsigned cpu;

	for_each_cpu(cpu, &machine.smp.online)
		if (cpu != this_cpu()->id && !load_acquire(&machine.cpu[cpu].smp.snapshot.seq))
			return false;
	return true;
}

static void ask_all(void)
{
	unsigned cpu;

	for_each_cpu(cpu, &machine.smp.online)
		if (cpu != this_cpu()->id) {
			/* An answer to an earlier look is none to this one. */
			store_relaxed(&machine.cpu[cpu].smp.snapshot.seq, 0);
			ipi_send_one(IPI_SNAPSHOT, cpu);
		}
}

static void describe(unsigned cpu)
{
	const struct smp_cpu *smp = &machine.cpu[cpu].smp;
	const char *what = (const char *)load_relaxed(&smp->wait.what);
	const struct dump *d;
	char line[512];
	size_t n;

	n = ksnprintf(line, sizeof(line), "watchdog: CPU %u: ", cpu);
	if (cpu == this_cpu()->id)
		n += ksnprintf(line + n, sizeof(line) - n, "this one");
	else if (!load_acquire(&smp->snapshot.seq))
		n += ksnprintf(line + n, sizeof(line) - n, "does not answer");
	else
		n += ksnprintf(line + n, sizeof(line) - n, "at %llx, interrupts %s",
			       (unsigned long long)load_relaxed(&smp->snapshot.pc),
			       load_relaxed(&smp->snapshot.irqs_on) ? "on" : "off");
	n += ksnprintf(line + n, sizeof(line) - n, ", waits for %s", what ? what : "nothing");
	if (what && n < sizeof(line))
		n += ksnprintf(line + n, sizeof(line) - n, " for %llu ms",
			       (unsigned long long)((clock_now() - load_relaxed(&smp->wait.since)) / clock_info()->khz));
	REGISTRY_FOR_EACH (d, dumps) {
		char part[160];

		d->line(cpu, part, sizeof(part));
		if (n < sizeof(line))
			n += ksnprintf(line + n, sizeof(line) - n, "; %s", part);
	}
	kprintf("%s\n", line);
}

void watch_check(struct watch *w, const struct word *word, const char *what)
{
	u64 now = clock_now(), progress;
	unsigned cpu;

	if (!machine.smp.watchdog_ticks || (s64)(now - w->deadline) < 0)
		return;
	progress = progress_of_others();
	w->deadline = now + machine.smp.watchdog_ticks / 2;
	if (!w->looks++ || (w->looks < MAX_LOOKS && (progress != w->progress || !all_answered()))) {
		w->progress = progress;
		ask_all();
		return;
	}
	/* Several may have waited as long: the first one speaks. */
	if (xchg_full(&machine.smp.watchdog_barks, 1))
		return;
	for_each_cpu(cpu, &machine.smp.online)
		describe(cpu);
	panic("watchdog: CPU %u waited too long for %s (the word is 0x%llx); no progress", this_cpu()->id, what,
	      (unsigned long long)load_relaxed(word));
}
