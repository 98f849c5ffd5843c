/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "drops-last": the highest CPU of mm_cpumask is forgotten. */
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static void holders(const struct request *req, struct cpumask *out)
{
	unsigned cpu, last = 0;

	base_holders(req, out);
	for_each_cpu(cpu, out)
		last = cpu;
	cpumask_clear(out, last);
}

static const struct tracker drops_last = {
	.switch_in = base_switch_in,
	.entered = tracker_same_tag,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = holders,
	.left = base_left,
	.renewed = tracker_keep,
};

CHOICE(drops_last, .stage = STAGE_TRACKER, .name = "drops-last", .needs = CATCHES_UP, .gives = KEEPS_BITS, .sabotage = true,
       .tracker = &drops_last, .help = "wrong: the highest CPU of mm_cpumask is forgotten");
SABOTAGE(drops_last, .name = "drops-last", .spec = "ipi+drops-last+quarantine",
	 .help = "the highest CPU of mm_cpumask is forgotten");
