/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tagging "slots": each CPU keeps the mms that it ran last under tags of its own, with the generation up to which what is under the
 * tag is right. Nobody has to interrupt a CPU for an mm that it doesn't run: it catches up at switch-in. Where the hardware has no
 * tags there is one slot, and every load of a root flushes (Linux arch/x86/mm/tlb.c, choose_new_asid(), 4.14 onwards).
 *
 * State: tlb.slot[] of the CPU, the owner's alone, interrupts off. Invariant: what is cached under tag i on this CPU comes from the
 * mm with ctx_id slot[i].ctx_id only, and no flush up to slot[i].gen is missing in it.
 */
#include "check.h"
#include "machine.h"
#include "mm/asid/slots.h"
#include "mm/shootdown/stages.h"

struct tag slots_enter(struct mm *mm, u64 gen)
{
	struct tlb_state *tlb = &this_cpu()->tlb;
	unsigned n = MIN(tlb_nr_tags(), (unsigned)strategy_now()->value[STAGE_TAGGING]), i;
	struct tag tag = { .flush = true };

	/* By ctx_id: an mm freed and made anew at the same address must not look like the old one. */
	for (i = 0; i < n && tlb->slot[i].ctx_id != mm->ctx_id; i++)
		;
	if (i < n) {
		tag.asid = i;
		tag.flush = tlb->slot[i].gen < gen;
	} else {
		tag.asid = tlb->next_tag;
		tlb->next_tag = (tlb->next_tag + 1) % n;
	}
	if (tag.flush) {
		tlb->slot[tag.asid].ctx_id = mm->ctx_id;
		tlb->slot[tag.asid].gen = gen;
	}
	return tag;
}

/* The generation that the loaded tag, which is mm's, is right for. */
static u64 reached(const struct tlb_state *tlb, const struct mm *mm)
{
	u64 asid = load_relaxed(&tlb->asid);

	CHECK(tlb->slot[asid].ctx_id == mm->ctx_id);
	return tlb->slot[asid].gen;
}

bool slots_settled(struct mm *mm, u64 gen)
{
	return reached(&this_cpu()->tlb, mm) >= gen;
}

/*
 * Three generations: what this slot has reached, what the request would bring it to, and the latest. A partial flush may stand for
 * the request's only if this slot is exactly one behind: with two requests on their way, 1->2 (full) and 2->3 (one page), served in
 * reverse, doing the page and recording 3 would lose the full one for good. That the request is also the latest is an optimisation:
 * else flush everything now and be done with all of them. (Linux flush_tlb_func().)
 */
struct due slots_due(struct mm *mm, const struct request *req)
{
	u64 have = reached(&this_cpu()->tlb, mm);
	/* Read before the flush: what is incremented while it goes on must not be recorded as done. */
	u64 latest = load_acquire(&mm->tlb_gen);
	struct due due = { DUE_TAG, latest };

	if (req->new_gen == have + 1 && req->new_gen == latest && !req->full)
		due.what = DUE_RANGE;
	else if ((req->new_gen && req->new_gen <= have) || have == latest)
		due.what = DUE_NOTHING;
	return due;
}

void slots_flushed(struct mm *mm, u64 gen)
{
	struct tlb_state *tlb = &this_cpu()->tlb;

	(void)mm;
	tlb->slot[load_relaxed(&tlb->asid)].gen = gen;
}

/* ctx_ids are never used again, so a slot of a dead mm is never found. */
void slots_release(struct mm *mm)
{
	(void)mm;
}

void slots_reset_cpu(void)
{
	struct tlb_state *tlb = &this_cpu()->tlb;
	unsigned i;

	for (i = 0; i < MAX_TAGS; i++)
		tlb->slot[i].ctx_id = tlb->slot[i].gen = 0;
	tlb->next_tag = 0;
}

static const struct tagging slots = {
	.enter = slots_enter,
	.settled = slots_settled,
	.due = slots_due,
	.flushed = slots_flushed,
	.not_loaded = tagging_catches_up,
	.release = slots_release,
	.reset = tagging_nothing,
	.reset_cpu = slots_reset_cpu,
};

CHOICE(slots, .stage = STAGE_TAGGING, .name = "slots", .by_default = true, .order = 1, .takes_value = true, .min = 1,
       .max = MAX_TAGS, .def = 6, .gives = CATCHES_UP | MAY_WAIT | OWN_ENTRIES, .tagging = &slots,
       .help = "so many tags per CPU, with a generation each; one where the hardware has none or may not use them");
