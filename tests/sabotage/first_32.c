/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "first-32": only the first 32 CPUs of mm_cpumask are seen. */
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static void holders(const struct request *req, struct cpumask *out)
{
	unsigned cpu;

	base_holders(req, out);
	for_each_cpu(cpu, out)
		if (cpu >= 32)
			cpumask_clear(out, cpu);
}

static const struct tracker first_32 = {
	.switch_in = base_switch_in,
	.entered = tracker_same_tag,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = holders,
	.left = base_left,
	.renewed = tracker_keep,
};

CHOICE(first_32, .stage = STAGE_TRACKER, .name = "first-32", .needs = CATCHES_UP, .gives = KEEPS_BITS, .sabotage = true,
       .tracker = &first_32, .help = "wrong: only the first 32 CPUs of mm_cpumask are seen");
SABOTAGE(first_32, .name = "first-32", .spec = "ipi+first-32+quarantine", .help = "only the first 32 CPUs of mm_cpumask are seen");
