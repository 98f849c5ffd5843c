/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sabotage "stays-at-exit": nobody is made to leave the root of an mm that ends.
 * The root is quarantined, so whoever sits in it sits well.
 */
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static void issue(struct flight *flight)
{
	if (flight->req.change != CHANGE_EXIT)
		base_issue(flight);
}

static const struct transport stays_at_exit = {
	.fallback = "stays-at-exit",
	.takes = transport_takes_all,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = issue,
	.sync = base_sync,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

CHOICE(stays_at_exit, .stage = STAGE_TRANSPORT, .name = "stays-at-exit", .gives = INTERRUPTS, .sabotage = true,
       .transport = &stays_at_exit, .help = "wrong: nobody is made to leave the root of an mm that ends");
SABOTAGE(stays_at_exit, .name = "stays-at-exit", .spec = "stays-at-exit+quarantine",
	 .help = "nobody is made to leave the root of an mm that ends");
