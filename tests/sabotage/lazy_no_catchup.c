/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "lazy-no-catchup": a CPU that returns from lazy mode believes that it missed nothing. */
#include "mm/asid/slots.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static bool settled(struct mm *mm, u64 gen)
{
	(void)mm, (void)gen;
	return true;
}

static const struct tagging lazy_no_catchup = {
	.enter = slots_enter,
	.settled = settled,
	.due = slots_due,
	.flushed = slots_flushed,
	.not_loaded = tagging_catches_up,
	.release = slots_release,
	.reset = tagging_nothing,
	.reset_cpu = slots_reset_cpu,
};

CHOICE(lazy_no_catchup, .stage = STAGE_TAGGING, .name = "lazy-no-catchup", .gives = CATCHES_UP, .def = 6, .sabotage = true,
       .tagging = &lazy_no_catchup, .help = "wrong: who returns from lazy mode never catches up");
SABOTAGE(lazy_no_catchup, .name = "lazy-no-catchup", .spec = "ipi+lazy+lazy-no-catchup+quarantine",
	 .help = "who returns from lazy mode never catches up");
