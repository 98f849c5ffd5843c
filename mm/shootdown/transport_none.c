/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transport "none": only the initiator's own entries die. As a benchmark column it is the floor, the cost of all but the remote
 * flush; in tests it is the sabotage that every leaf test must notice. It does not give REMOTE, so its completion is quarantine:
 * what was unmapped is not reused while another CPU may still hold a translation to it.
 */
#include "mm/shootdown/stages.h"

static const struct transport none = {
	.fallback = "none",
	.takes = transport_takes_all,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = transport_nothing,
	.sync = transport_nothing,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

CHOICE(transport_none, .stage = STAGE_TRANSPORT, .name = "none", .transport = &none,
       .help = "no remote flush: wrong on purpose; the floor in benchmarks, the sabotage in tests");
