/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trackers "mask" and "exact": mm_cpumask, one bit for each CPU that may hold entries. With "mask" a bit stays set when the CPU
 * goes on to another mm (Linux 6.13 onwards; filter `trim` removes stale ones); with "exact" it is cleared then (Linux until 6.12),
 * which is legal only because the generation is checked when the CPU comes back.
 *
 * State: mm->cpumask. Bits are set and cleared by their own CPU only, with interrupts off.
 *
 *	a CPU that switches to mm		a flusher
 *	loaded = SWITCHING			change the PTE
 *	set own bit (locked), or full barrier	increment mm->tlb_gen (locked)
 *	read mm->tlb_gen			read mm->cpumask, then loaded
 *	load the root, publish loaded = mm
 *
 * At least one of the two sees the other: either the flusher finds the bit (and SWITCHING or mm), or the CPU reads the new
 * generation and drops what it kept. Not allowed: it reads the old generation and is not found; entries filled from the old PTE
 * would stay. When the bit is set already there is no locked operation and so no barrier but the explicit one (Linux 83b0177a6c48).
 */
#include "machine.h"
#include "mm/shootdown/stages.h"

COUNTER(mask_cleared, "mm_cpumask bits cleared by trimming");

static u64 mask_switch_in(struct mm *mm)
{
	unsigned self = this_cpu()->id;

	if (!mm->kernel && !shared_mask_test(&mm->cpumask, self))
		shared_mask_set(&mm->cpumask, self);
	else
		barrier_full();
	return load_relaxed(&mm->tlb_gen);
}

static void mask_holders(const struct request *req, struct cpumask *out)
{
	shared_mask_copy(out, &req->mm->cpumask);
}

/* Own bit, own CPU, interrupts off: a switch to that mm can't be under way here. */
static void mask_left(struct mm *mm)
{
	if (shared_mask_test(&mm->cpumask, this_cpu()->id)) {
		count(&counter_mask_cleared, 1);
		shared_mask_clear(&mm->cpumask, this_cpu()->id);
	}
}

static void exact_switch_out(struct mm *mm)
{
	if (!mm->kernel)
		shared_mask_clear(&mm->cpumask, this_cpu()->id);
}

static const struct tracker mask = {
	.switch_in = mask_switch_in,
	.entered = tracker_same_tag,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = mask_holders,
	.left = mask_left,
	.renewed = tracker_keep,
};

static const struct tracker exact = {
	.switch_in = mask_switch_in,
	.entered = tracker_same_tag,
	.switch_out = exact_switch_out,
	.filled = tracker_fill_as_is,
	.holders = mask_holders,
	.left = tracker_keep, /* the bit is gone already */
	.renewed = tracker_keep,
};

CHOICE(mask, .stage = STAGE_TRACKER, .name = "mask", .by_default = true, .gives = KEEPS_BITS, .tracker = &mask,
       .help = "mm_cpumask; a bit stays when its CPU goes on to another mm (Linux 6.13 onwards)");
CHOICE(exact, .stage = STAGE_TRACKER, .name = "exact", .needs = CATCHES_UP, .tracker = &exact,
       .help = "mm_cpumask; a bit is cleared when its CPU goes on to another mm (Linux until 6.12)");
