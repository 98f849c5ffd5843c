/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "any-generation": a partial flush is taken for all flushes up to the latest, however far behind the CPU is. */
#include "mm/asid/slots.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static struct due due(struct mm *mm, const struct request *req)
{
	struct due due = slots_due(mm, req);

	if (due.what == DUE_TAG && !req->full)
		due.what = DUE_RANGE;
	return due;
}

static const struct tagging any_generation = {
	.enter = slots_enter,
	.settled = slots_settled,
	.due = due,
	.flushed = slots_flushed,
	.not_loaded = tagging_catches_up,
	.release = slots_release,
	.reset = tagging_nothing,
	.reset_cpu = slots_reset_cpu,
};

CHOICE(any_generation, .stage = STAGE_TAGGING, .name = "any-generation", .gives = CATCHES_UP, .def = 6, .sabotage = true,
       .tagging = &any_generation, .help = "wrong: a partial flush stands for all up to the latest");
SABOTAGE(any_generation, .name = "any-generation", .spec = "ipi+any-generation+quarantine",
	 .help = "a partial flush stands for all up to the latest");
