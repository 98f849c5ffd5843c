/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sabotage "no-wait": the initiator does not wait for acknowledgements.
 * It waits when the next gather opens, before the request that targets may still read is written again, and for the end of the
 * mm, so that nothing is under way any more when cross calls are used for something else.
 */
#include "machine.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static void hold(struct flight *flight)
{
	(void)flight;
	call_sync(&machine.smp.online, "acknowledgements that nobody waited for");
}

static void sync(struct flight *flight)
{
	if (flight->req.change == CHANGE_EXIT)
		base_sync(flight);
}

static const struct transport no_wait = {
	.fallback = "no-wait",
	.takes = transport_takes_all,
	.hold = hold,
	.drop = transport_nothing,
	.issue = base_issue,
	.sync = sync,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

CHOICE(no_wait, .stage = STAGE_TRANSPORT, .name = "no-wait", .gives = INTERRUPTS, .sabotage = true, .transport = &no_wait,
       .help = "wrong: the initiator does not wait for acknowledgements");
SABOTAGE(no_wait, .name = "no-wait", .spec = "no-wait+quarantine", .help = "the initiator does not wait for acknowledgements");
