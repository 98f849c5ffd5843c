/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transport "invlpgb": mms with a global ASID are flushed on all CPUs by broadcasts, without an interrupt; so are kernel ranges.
 * The others by transport ipi, which is also how they are found to be worth a global ASID (Linux broadcast_tlb_flush(),
 * finish_asid_transition(), consider_global_asid(), 6.15 onwards).
 *
 * State: mm->moving (asid/global.c sets it, it is cleared here).
 *
 * An mm that has just got its global ASID is still loaded under slots' tags, which a broadcast does not reach. Until no CPU is,
 * each flush goes both ways; who is interrupted loads the mm again under the new tag (DUE_ENTER), or leaves it if it is lazy. No
 * filter is asked: a lazy CPU that is left out is safe, as it looks for the global ASID before it goes on, but holds up the end.
 * The order, of three CPUs, the second and third of which may be one:
 *
 *	a CPU that switches to the mm		who promotes	a flusher
 *	loaded = SWITCHING			global_asid = A	read mm->global_asid: A (acquire)
 *	full barrier					read loaded
 *	read mm->global_asid: none			SWITCHING: wait for what comes next
 *	load the root under a slot's tag		mm: read asid
 *	asid = the slot's, loaded = mm
 *
 * Not allowed: it finds no global ASID, and the flusher finds that it doesn't run the mm, and ends the move. A is visible to all as
 * soon as it is to the flusher (multi-copy atomicity: x86, Armv8), so that a later read of it by anybody finds it.
 */
#include "arch/broadcast.h"
#include "arch/clock.h"
#include "machine.h"
#include "mm/asid/global.h"
#include "mm/shootdown/broadcast.h"
#include "mm/shootdown/stages.h"
#include "smp/wait.h"

COUNTER(moves_ended, "mms of which no CPU was found under another tag than the global ASID");

/* No CPU has mm loaded under another tag; and none will. */
static bool all_moved(struct mm *mm, u64 asid)
{
	unsigned cpu;

	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		struct tlb_state *tlb = &machine.cpu[cpu].tlb;
		/*
		 * Acquire: the tag that is read is that of this stay in the mm, or a later one. The owner stores it after its root
		 * is loaded: what is read here is no tag that is still to come.
		 */
		u64 loaded = wait_until(&tlb->loaded, WAIT_NE, LOADED_SWITCHING, "a CPU between two mms");

		if (loaded == (u64)mm && load_relaxed(&tlb->asid) != asid)
			return false;
	}
	return true;
}

static enum take invlpgb_takes(const struct request *req)
{
	struct mm *mm = req->mm;
	u64 asid;

	if (req->kernel)
		return TAKE;
	if (!mm) /* a batch: what has no global ASID is in its holders, what has was issued when it joined; or all at once, now */
		return strategy_now()->policies & POLICY_BATCH_ALL ? TAKE : this_cpu()->tlb.sync_owed ? BOTH : PASS;
	asid = load_acquire(&mm->global_asid);
	/* At its end lazy CPUs have to leave its root, which takes an interrupt; nothing is done under its tag any more. */
	if (!asid || req->change == CHANGE_EXIT)
		return PASS;
	if (!load_relaxed(&mm->moving))
		return TAKE;
	if (!all_moved(mm, asid))
		return BOTH | UNFILTERED;
	count(&counter_moves_ended, 1);
	store_relaxed(&mm->moving, 0);
	return TAKE;
}

static void invlpgb_issue(struct flight *flight)
{
	const struct request *req = &flight->req;

	if (req->mm)
		broadcast_issue(req, (unsigned)load_relaxed(&req->mm->global_asid));
	else if (strategy_now()->policies & POLICY_BATCH_ALL)
		broadcast_issue_all();
}

/* Targets that run the mm, not lazily; and this CPU, if it has the mm loaded. */
static unsigned active_cpus(const struct flight *flight)
{
	const struct mm *mm = flight->req.mm;
	unsigned cpu, n = loaded_mm() == mm;

	for_each_cpu(cpu, &flight->targets) {
		const struct tlb_state *tlb = &machine.cpu[cpu].tlb;

		n += load_relaxed(&tlb->loaded) == (u64)mm && !load_relaxed(&tlb->lazy);
	}
	return n;
}

/* One in 32 milliseconds is an mm's (Linux: ticks and process ids). */
static bool its_turn(const struct mm *mm)
{
	return clock_now() / clock_info()->khz % 32 == mm->ctx_id % 32;
}

/* After a flush that was not broadcast: where CPUs were interrupted it has just cost more than this. */
static void invlpgb_after(struct flight *flight)
{
	const struct strategy *s = strategy_now();
	struct mm *mm = flight->req.mm;

	if (!mm || flight->req.kernel || flight->req.change == CHANGE_EXIT || load_relaxed(&mm->global_asid))
		return;
	if (!asids_available() || (s->policies & POLICY_SAMPLED && !its_turn(mm)))
		return;
	if (active_cpus(flight) > s->promotion->above(s->value[STAGE_PROMOTION]))
		asid_promote(mm);
}

static const struct transport by_invlpgb = {
	.fallback = "ipi",
	.broadcasts = true,
	.takes = invlpgb_takes,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = invlpgb_issue,
	.sync = broadcast_wait,
	.after = invlpgb_after,
	.sweep = broadcast_sweep,
};

CHOICE(transport_invlpgb, .stage = STAGE_TRANSPORT, .name = "invlpgb", .missing = broadcast_missing, .needs = GLOBAL_TAGS,
       .gives = BROADCASTS | INTERRUPTS | REMOTE, .transport = &by_invlpgb,
       .help = "INVLPGB and TLBSYNC for mms with a global ASID and for kernel ranges, ipi for others (Linux 6.15 onwards)");
CHOICE(batch_all, .stage = STAGE_POLICY, .name = "batch-all", .needs = BROADCASTS, .policy = POLICY_BATCH_ALL,
       .help = "a batch is flushed by one broadcast of all tags, whatever its mms have (Linux 6.15 onwards)");
CHOICE(final_only, .stage = STAGE_POLICY, .name = "final-only", .needs = BROADCASTS, .policy = POLICY_FINAL_ONLY,
       .help = "broadcasts spare walk caches unless page tables are freed");
