/* SPDX-License-Identifier: BSD-2-Clause */
/* When an mm gets a global ASID: how many CPUs have to run it. No state. */
#include "machine.h"

static u64 threshold_above(u64 value)
{
	return value;
}

/* As in the postings of early 2025, which were not merged: the fewer are left, the more CPUs it takes. */
static u64 growing_above(u64 value)
{
	u64 left = asids_available(), all = asids_all();

	for (; left && left * 2 <= all; left *= 2)
		value *= 2;
	return value;
}

static u64 never_above(u64 value)
{
	(void)value;
	return ~0ull;
}

static const struct promotion threshold = { .above = threshold_above };
static const struct promotion growing = { .above = growing_above };
static const struct promotion never = { .above = never_above };

CHOICE(threshold, .stage = STAGE_PROMOTION, .name = "threshold", .by_default = true, .order = 0, .takes_value = true, .min = 0,
       .max = MAX_CPUS, .def = 3, .needs = GLOBAL_TAGS, .promotion = &threshold,
       .help = "an mm that more CPUs than this run gets a global ASID after a flush by interrupts (Linux 6.15 onwards: 3)");
CHOICE(growing, .stage = STAGE_PROMOTION, .name = "growing", .takes_value = true, .min = 1, .max = MAX_CPUS, .def = 3,
       .needs = GLOBAL_TAGS, .promotion = &growing,
       .help = "as threshold, but twice as many CPUs for each halving of the global ASIDs that are left");
CHOICE(never, .stage = STAGE_PROMOTION, .name = "never", .by_default = true, .order = 1, .promotion = &never,
       .help = "no mm gets a global ASID");
CHOICE(sampled, .stage = STAGE_POLICY, .name = "sampled", .needs = GLOBAL_TAGS, .policy = POLICY_SAMPLED,
       .help = "whether an mm is to get a global ASID is looked at in one of 32 milliseconds only (Linux 6.15 onwards)");
