/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transport "broadcast": every flush reaches every CPU without an interrupt, under a tag that an mm has on all of them from the
 * start: TLBI IS on arm64 (Linux arch/arm64/mm/tlb), INVLPGB on x86. No state of its own.
 *
 * With a tracker that knows when nobody else holds entries (tlbi-local on arm64) nothing is broadcast then: the own flush is
 * enough, if this CPU holds any. Its instructions reach this CPU only, and are done when it returns.
 *
 * The tag is read after the entries were changed and the generation was incremented with full order. Not allowed: it is read
 * before, the mm gets another one, a CPU fills the old entry under that, and the broadcast goes to the old one (Linux
 * 5e10f9887ed8). The partner is in enter_slowly(): the new id is stored, and the root loaded, before anything is filled under it.
 * Acquire: of an id from a later generation, the rollover before it is seen too. Not allowed: the new id, and no straggler.
 */
#include "arch/broadcast.h"
#include "machine.h"
#include "mm/shootdown/broadcast.h"
#include "mm/shootdown/stages.h"

COUNTER(straggler_flushes, "flushes of all tags, as a walker might have used freed tables under an ASID that the mm no longer has");
COUNTER(flushes_alone, "flushes that were not broadcast, as no other CPU held entries");

/* At an mm's end lazy CPUs have to leave its root, which takes an interrupt; nothing is done under its tag any more. */
static enum take takes(const struct request *req)
{
	return req->change == CHANGE_EXIT ? PASS : TAKE;
}

static void issue(struct flight *flight)
{
	const struct request *req = &flight->req;
	unsigned asid;

	if (!req->mm) { /* a batch: its pages were broadcast when they joined, sync() waits for that; or all tags at once, now */
		flight->local = false;
		if (strategy_now()->policies & POLICY_BATCH_ALL)
			broadcast_issue_all();
		return;
	}
	if (has_targets(strategy_now(), TAKE) && cpumask_empty(&flight->targets)) {
		count(&counter_flushes_alone, 1);
		return;
	}
	flight->local = false;
	asid = req->kernel ? 0 : asid_of_id(load_acquire(&req->mm->tag_id));
	if (req->freed_tables && !req->kernel && generation_straggler()) {
		count(&counter_straggler_flushes, 1);
		broadcast_issue_all();
	} else {
		broadcast_issue(req, asid);
	}
}

static const struct transport by_broadcast = {
	.fallback = "ipi",
	.broadcasts = true,
	.takes = takes,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = issue,
	.sync = broadcast_wait,
	.after = transport_nothing,
	.sweep = broadcast_sweep,
};

CHOICE(transport_broadcast, .stage = STAGE_TRANSPORT, .name = "broadcast", .missing = broadcast_missing, .needs = SAME_TAGS,
       .gives = BROADCASTS | INTERRUPTS | REMOTE | MAY_WAIT, .transport = &by_broadcast,
       .help = "every flush by broadcast, under tags that are the same on every CPU (TLBI IS on arm64, INVLPGB on x86)");
