/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trackers "active" and "active-renewed": which CPU has entered the mm, none so far, one, or several. Kept for what a transport
 * that broadcasts can spare: with one, and that is the flusher, no other CPU holds anything, and flushes of its own are enough
 * (Roberts and Cherian, arm64 "tlbi-local", 2025 and 2026).
 *
 * State: mm->active. Every CPU that enters the mm writes it, the owner of the only CPU takes it back when it has flushed the mm
 * and doesn't run it.
 *
 *	a CPU enters mm				a flusher
 *	its tag is settled (tagging)		change the PTE
 *	active: none -> this CPU, or -> many	DSB ISH (pte_publish())
 *	DSB ISHST, load the root		increment mm->tlb_gen
 *	  (both tlb_load_root())		read active
 *	walks read the PTE
 *
 * At least one sees the other: either the flusher finds the CPU, or many, or its walks find the new PTE. Not allowed: the flusher
 * finds itself alone, and the other CPU fills the old entry. Walks are no loads: DMBs, which is what full order is made of on
 * arm64, order nothing here. On x86 the write of CR3 drains the store buffer before it walks. A CPU that finds itself, or many,
 * writes nothing: who reads the word finds it already.
 *
 * It is not enough to run the mm on one CPU now: another one has entries from when it ran it, under the mm's tag. A new tag would
 * rid it of those: "active-renewed" goes back to none when tagging generation gives the mm an id in a new generation and no CPU has
 * taken it along. Every CPU flushes before it enters an mm then. That is also why a CPU announces itself after its tag is settled:
 * before, it could have found many, which another CPU's entering would take back. A CPU that is about to load another root may
 * still walk the mm's, by walk caches too, so in a renewed mm nobody is spared where tables are freed.
 */
#include "machine.h"
#include "mm/shootdown/stages.h"

/* The CPU's number plus 1, or 0: nobody, in the lower half; or: */
#define MANY (~0ull)
#define RENEWED (1ull << 32)

COUNTER(active_left, "mms that no CPU held any more when their only CPU had flushed and left them");
COUNTER(active_renewed, "mms that had run on some CPU and went on with a new ASID, held by none");

/* No barrier: nobody catches up by generation, and the pair above has its own. */
static u64 active_switch_in(struct mm *mm)
{
	return load_relaxed(&mm->tlb_gen);
}

static u64 me(void)
{
	return this_cpu()->id + 1;
}

static struct tag active_entered(struct mm *mm, struct tag tag)
{
	u64 old = load_relaxed(&mm->active);

	if (!mm->kernel && old != MANY && (u32)old != me() && ((u32)old || !cas_relaxed(&mm->active, old, old | me())))
		store_relaxed(&mm->active, MANY);
	return tag;
}

static void active_holders(const struct request *req, struct cpumask *out)
{
	u64 active = load_relaxed(&req->mm->active);

	if (active == MANY || (active & RENEWED && req->freed_tables)) {
		cpumask_copy(out, &machine.smp.online);
		return;
	}
	cpumask_zero(out);
	if ((u32)active)
		cpumask_set(out, (u32)active - 1);
}

/* This CPU has flushed it. Who enters it meanwhile has made it many, or makes it its own afterwards. */
static void active_left(struct mm *mm)
{
	u64 old = load_relaxed(&mm->active);

	if ((u32)old == me() && cas_relaxed(&mm->active, old, old & RENEWED))
		count(&counter_active_left, 1);
}

/* Under the lock of the ASIDs, before the new id is stored with release order: who enters by that reads this, or what is newer. */
static void active_renewed(struct mm *mm)
{
	if (!load_relaxed(&mm->active))
		return;
	count(&counter_active_renewed, 1);
	store_relaxed(&mm->active, RENEWED);
}

static const struct tracker active = {
	.switch_in = active_switch_in,
	.entered = active_entered,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = active_holders,
	.left = active_left,
	.renewed = tracker_keep,
};

static const struct tracker renewed = {
	.switch_in = active_switch_in,
	.entered = active_entered,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = active_holders,
	.left = active_left,
	.renewed = active_renewed,
};

CHOICE(active, .stage = STAGE_TRACKER, .name = "active", .needs = SAME_TAGS | OWN_ENTRIES, .gives = KEEPS_BITS | SEES_ALONE,
       .tracker = &active,
       .help = "the only CPU that has run the mm so far, or that several have; alone, it flushes for itself (tlbi-local)");
CHOICE(active_renewed, .stage = STAGE_TRACKER, .name = "active-renewed", .needs = SAME_TAGS | OWN_ENTRIES,
       .gives = KEEPS_BITS | SEES_ALONE, .tracker = &renewed,
       .help = "the same, but beginning anew where the mm gets its ASID of a new generation");
