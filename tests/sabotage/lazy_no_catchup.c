/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "lazy-no-catchup": a CPU that returns from lazy mode believes that it missed nothing. */
#include "tests/sabotage/base.h"

static struct tag enter(struct mm *mm, u64 gen)
{
	return choice_slots.tagging->enter(mm, gen);
}

static bool settled(struct mm *mm, u64 gen)
{
	(void)mm, (void)gen;
	return true;
}

static struct due due(struct mm *mm, const struct request *req)
{
	return choice_slots.tagging->due(mm, req);
}

static void flushed(struct mm *mm, u64 gen)
{
	choice_slots.tagging->flushed(mm, gen);
}

static void release(struct mm *mm)
{
	choice_slots.tagging->release(mm);
}

static void reset_cpu(void)
{
	choice_slots.tagging->reset_cpu();
}

static const struct tagging lazy_no_catchup = {
	.enter = enter,
	.settled = settled,
	.due = due,
	.flushed = flushed,
	.release = release,
	.reset_cpu = reset_cpu,
};

CHOICE(lazy_no_catchup, .stage = STAGE_TAGGING, .name = "lazy-no-catchup", .gives = CATCHES_UP, .sabotage = true,
       .tagging = &lazy_no_catchup, .help = "wrong: who returns from lazy mode never catches up");
SABOTAGE(lazy_no_catchup, .name = "lazy-no-catchup", .spec = "ipi+lazy+lazy-no-catchup+quarantine",
	 .help = "who returns from lazy mode never catches up");
