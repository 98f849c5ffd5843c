/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "move-ends-early": as soon as an mm has a global ASID, all CPUs are taken to be under it. */
#include "arch/broadcast.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

extern const struct choice choice_transport_invlpgb;

static enum take takes(const struct request *req)
{
	if (req->mm && load_relaxed(&req->mm->global_asid) && req->change != CHANGE_EXIT)
		return TAKE;
	return choice_transport_invlpgb.transport->takes(req);
}

static void issue(struct flight *flight)
{
	choice_transport_invlpgb.transport->issue(flight);
}

static void sync(struct flight *flight)
{
	choice_transport_invlpgb.transport->sync(flight);
}

static void after(struct flight *flight)
{
	choice_transport_invlpgb.transport->after(flight);
}

static void sweep(void)
{
	choice_transport_invlpgb.transport->sweep();
}

static const struct transport move_ends_early = {
	.fallback = "ipi",
	.broadcasts = true,
	.takes = takes,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = issue,
	.sync = sync,
	.after = after,
	.sweep = sweep,
};

CHOICE(move_ends_early, .stage = STAGE_TRANSPORT, .name = "move-ends-early", .missing = broadcast_missing, .needs = GLOBAL_TAGS,
       .gives = BROADCASTS | INTERRUPTS | REMOTE, .sabotage = true, .transport = &move_ends_early,
       .help = "wrong: an mm that gets a global ASID is flushed under that only, at once");
SABOTAGE(move_ends_early, .name = "move-ends-early", .spec = "move-ends-early+threshold=0+quarantine",
	 .help = "an mm that gets a global ASID is flushed under that only, at once");
