/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sabotage "reads-late": a target acknowledges, and reads the request afterwards, when the initiator has written another one there.
 * It waits for that, for half a second at most, so that the damage is no matter of luck. Where tables are freed, and for kernel
 * ranges, all is as it should be.
 */
#include "arch/clock.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

#define MAX_MS 500

static void receive_late(struct call_node *call)
{
	const struct request *req = call_arg(call);
	const struct mm *mm = req->mm;
	u64 end = clock_now() + MAX_MS * clock_info()->khz;

	if (req->freed_tables || req->kernel) {
		receive_call(call);
		return;
	}
	call_done(call);
	/* No spin: it gives up by itself. Acquire: so that the request is read anew. */
	while (req->mm == mm && clock_now() < end)
		(void)load_acquire(&call->busy);
	receive_request(req);
}

static void issue(struct flight *flight)
{
	call_issue(receive_late, &flight->req, &flight->targets);
}

static const struct transport reads_late = {
	.fallback = "reads-late",
	.takes = transport_takes_all,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = issue,
	.sync = base_sync,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

CHOICE(reads_late, .stage = STAGE_TRANSPORT, .name = "reads-late", .gives = INTERRUPTS, .sabotage = true, .transport = &reads_late,
       .help = "wrong: a request is read after it was acknowledged");
SABOTAGE(reads_late, .name = "reads-late", .spec = "reads-late+quarantine", .help = "a request is read after it was acknowledged");
