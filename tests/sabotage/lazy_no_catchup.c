/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "lazy-no-catchup": a CPU that returns from lazy mode believes that it missed nothing. */
#include "tests/sabotage/base.h"

static bool settled(struct mm *mm, u64 gen)
{
	(void)mm, (void)gen;
	return true;
}

static const struct tagging lazy_no_catchup = {
	.enter = base_enter,
	.settled = settled,
	.due = base_due,
	.flushed = base_flushed,
	.release = base_release,
	.reset_cpu = base_reset_cpu,
};

CHOICE(lazy_no_catchup, .stage = STAGE_TAGGING, .name = "lazy-no-catchup", .gives = CATCHES_UP, .def = 6, .sabotage = true,
       .tagging = &lazy_no_catchup, .help = "wrong: who returns from lazy mode never catches up");
SABOTAGE(lazy_no_catchup, .name = "lazy-no-catchup", .spec = "ipi+lazy+lazy-no-catchup+quarantine",
	 .help = "who returns from lazy mode never catches up");
