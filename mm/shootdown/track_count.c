/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tracker "count": how many CPUs run the mm now, and on which its entries may be stale. With one CPU in it, and that the flusher's,
 * a flush of its own is enough; with none no flush at all. The others have it done when they enter the mm again (Arcangeli, "arm64:
 * tlb: skip tlbi broadcast", 2020). Where tables are freed nobody is left out: a walk cache may be used for as long as it is there,
 * by an ASID that nobody runs too where it is found by the table's address (nTLBPA, Arm ARM D8.14; Rutland's review).
 *
 * State: mm->running, changed by each CPU that comes and goes; mm->stale, of which flushers set bits, and each CPU clears its own.
 *
 *	a CPU enters mm				a flusher
 *						change the PTE, increment mm->tlb_gen (full order)
 *	increment running (full order)		set all bits of stale, but its own if it runs mm (full order)
 *	its tag is settled (tagging)		read running
 *	own bit of stale set: clear it, flush
 *	load the root
 *
 * Either the CPU finds its bit and flushes, or the flusher finds that it is not alone, and has everybody flush. Not allowed: the
 * CPU does not find the bit, and the flusher finds itself alone. A bit that the flusher finds set, and does not write, will be
 * found too: it was not cleared yet when the PTE had been changed. What is filled after the flush is the new PTE: the root is
 * loaded after the DSB of tlb_load_root(), as in track_active.c.
 *
 * A lazy CPU has the mm loaded and is counted (Arcangeli's has it on an empty root by then, which costs a write of the register).
 * One that goes on to another mm is counted until that is loaded.
 */
#include "machine.h"
#include "mm/shootdown/stages.h"
#include "mm/switch.h"

COUNTER(stale_flushes, "tags flushed on entering because a flush had left this CPU out");

static u64 count_switch_in(struct mm *mm)
{
	if (!mm->kernel)
		add_full(&mm->running, 1);
	return load_relaxed(&mm->tlb_gen);
}

static struct tag count_entered(struct mm *mm, struct tag tag)
{
	unsigned self = this_cpu()->id;

	if (!mm->kernel && shared_mask_test(&mm->stale, self)) {
		shared_mask_clear(&mm->stale, self);
		count(&counter_stale_flushes, 1);
		tag.flush = true;
	}
	return tag;
}

static void count_switch_out(struct mm *mm)
{
	if (!mm->kernel)
		add_full(&mm->running, -1ull);
}

static void count_holders(const struct request *req, struct cpumask *out)
{
	struct mm *mm = req->mm;
	unsigned self = this_cpu()->id;
	bool here = loaded_mm() == mm;

	if (!req->freed_tables && load_relaxed(&mm->running) == here) {
		shared_mask_set_all_but(&mm->stale, here ? self : MAX_CPUS);
		if (load_relaxed(&mm->running) == here) {
			cpumask_zero(out);
			if (here)
				cpumask_set(out, self);
			return;
		}
	}
	cpumask_copy(out, &machine.smp.online);
}

/* This CPU has flushed the mm and doesn't run it: nothing can have come back since, so its bit has nothing to say. */
static void count_left(struct mm *mm)
{
	if (shared_mask_test(&mm->stale, this_cpu()->id))
		shared_mask_clear(&mm->stale, this_cpu()->id);
}

/* Nobody holds anything that will not be flushed before it can be used. */
static void count_renewed(struct mm *mm)
{
	shared_mask_zero(&mm->stale);
}

static const struct tracker running = {
	.switch_in = count_switch_in,
	.entered = count_entered,
	.switch_out = count_switch_out,
	.filled = tracker_fill_as_is,
	.holders = count_holders,
	.left = count_left,
	.renewed = count_renewed,
};

CHOICE(count, .stage = STAGE_TRACKER, .name = "count", .needs = SAME_TAGS | OWN_ENTRIES, .gives = KEEPS_BITS | SEES_ALONE,
       .tracker = &running,
       .help = "how many CPUs run the mm now; others flush when they enter it again, unless tables are freed (Arcangeli 2020)");
