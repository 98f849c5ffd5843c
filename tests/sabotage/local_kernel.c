/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sabotage "local-kernel": kernel ranges are flushed by the initiator only.
 */
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static void issue(struct flight *flight)
{
	if (!flight->req.kernel)
		base_issue(flight);
}

static const struct transport local_kernel = {
	.fallback = "local-kernel",
	.takes = transport_takes_all,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = issue,
	.sync = base_sync,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

CHOICE(local_kernel, .stage = STAGE_TRANSPORT, .name = "local-kernel", .gives = INTERRUPTS, .sabotage = true,
       .transport = &local_kernel, .help = "wrong: kernel ranges are flushed by the initiator only");
SABOTAGE(local_kernel, .name = "local-kernel", .spec = "local-kernel+quarantine",
	 .help = "kernel ranges are flushed by the initiator only");
