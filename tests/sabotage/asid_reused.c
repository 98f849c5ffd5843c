/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "asid-reused": a global ASID is handed out again as soon as its mm has ended, with no flush in between. */
#include "mm/asid/slots.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

extern const struct choice choice_global;

static struct tag enter(struct mm *mm, u64 gen)
{
	return choice_global.tagging->enter(mm, gen);
}

static bool settled(struct mm *mm, u64 gen)
{
	return choice_global.tagging->settled(mm, gen);
}

static struct due due(struct mm *mm, const struct request *req)
{
	return choice_global.tagging->due(mm, req);
}

static void release(struct mm *mm)
{
	struct asids_state *a = &machine.asids;
	unsigned i;

	choice_global.tagging->release(mm);
	for (i = 0; i < ARRAY_SIZE(a->used); i++) {
		a->used[i] &= ~a->freed[i];
		a->freed[i] = 0;
	}
	a->next = a->first;
}

static void reset(void)
{
	choice_global.tagging->reset();
}

static const struct tagging asid_reused = {
	.enter = enter,
	.settled = settled,
	.due = due,
	.flushed = slots_flushed,
	.not_loaded = tagging_catches_up,
	.release = release,
	.reset = reset,
	.reset_cpu = slots_reset_cpu,
};

CHOICE(asid_reused, .stage = STAGE_TAGGING, .name = "asid-reused", .def = 6, .needs = BROADCASTS, .gives = CATCHES_UP | GLOBAL_TAGS,
       .sabotage = true, .tagging = &asid_reused, .help = "wrong: a global ASID is handed out again without a flush");
SABOTAGE(asid_reused, .name = "asid-reused", .spec = "invlpgb+asid-reused+threshold=0+quarantine",
	 .help = "a global ASID is handed out again without a flush");
