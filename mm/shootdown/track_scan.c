/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tracker "scan": no mm_cpumask. A switch writes nothing that is shared but tlb.loaded of its own CPU; a flush looks at every
 * CPU's. Switches get cheaper (no locked operation on a line that others write), flushes dearer (one remote line per CPU of the
 * machine). (Idea: van Riel 2024, proof of concept: Desnoyers.)
 *
 * State: tlb.loaded, which mm/switch.c writes.
 *
 *	a CPU that switches to mm		a flusher
 *	loaded = SWITCHING			change the PTE
 *	full barrier				increment mm->tlb_gen (locked)
 *	read mm->tlb_gen			read loaded of every CPU
 *	load the root, publish loaded = mm
 *
 * At least one of the two sees the other: the flusher finds SWITCHING or mm, or the CPU reads the new generation and drops what
 * it kept. Not allowed: it reads the old generation and is not found. The barrier is paid at every switch, where trackers with a
 * mask have the locked operation. A lazy CPU still has the mm loaded and is found.
 */
#include "machine.h"
#include "mm/shootdown/stages.h"

static u64 scan_switch_in(struct mm *mm)
{
	barrier_full();
	return load_relaxed(&mm->tlb_gen);
}

static void scan_holders(const struct request *req, struct cpumask *out)
{
	unsigned cpu;

	cpumask_zero(out);
	for_each_cpu(cpu, &machine.smp.online) {
		u64 loaded = load_relaxed(&machine.cpu[cpu].tlb.loaded);

		if (loaded == (u64)req->mm || loaded == LOADED_SWITCHING)
			cpumask_set(out, cpu);
	}
}

static const struct tracker scan = {
	.switch_in = scan_switch_in,
	.entered = tracker_same_tag,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = scan_holders,
	.left = tracker_keep, /* there is no bit */
	.renewed = tracker_keep,
};

CHOICE(scan, .stage = STAGE_TRACKER, .name = "scan", .needs = CATCHES_UP, .tracker = &scan,
       .help = "no mm_cpumask: a flush looks at the mm that each CPU has loaded");
