/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "rollover-unflushed": no CPU flushes what it holds under ASIDs that are handed out again in a new generation. */
#include "tests/sabotage/base.h"

extern const struct choice choice_generation;

static struct tag enter(struct mm *mm, u64 gen)
{
	this_cpu()->tlb.flush_pending = false;
	return choice_generation.tagging->enter(mm, gen);
}

static bool settled(struct mm *mm, u64 gen)
{
	return choice_generation.tagging->settled(mm, gen);
}

static struct due due(struct mm *mm, const struct request *req)
{
	return choice_generation.tagging->due(mm, req);
}

static void flushed(struct mm *mm, u64 gen)
{
	choice_generation.tagging->flushed(mm, gen);
}

static void not_loaded(struct mm *mm)
{
	choice_generation.tagging->not_loaded(mm);
}

static void release(struct mm *mm)
{
	choice_generation.tagging->release(mm);
}

static void reset(void)
{
	choice_generation.tagging->reset();
}

static void reset_cpu(void)
{
	choice_generation.tagging->reset_cpu();
}

static const char *missing(void)
{
	return choice_generation.missing();
}

static const struct tagging rollover_unflushed = {
	.enter = enter,
	.settled = settled,
	.due = due,
	.flushed = flushed,
	.not_loaded = not_loaded,
	.release = release,
	.reset = reset,
	.reset_cpu = reset_cpu,
};

CHOICE(rollover_unflushed, .stage = STAGE_TAGGING, .name = "rollover-unflushed", .needs = KEEPS_BITS, .missing = missing,
       .sabotage = true, .tagging = &rollover_unflushed, .help = "wrong: nobody flushes when a new generation begins");
SABOTAGE(rollover_unflushed, .name = "rollover-unflushed", .spec = "ipi+rollover-unflushed+quarantine",
	 .help = "nobody flushes when a new generation begins");
