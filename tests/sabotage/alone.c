/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sabotages of the trackers that know when a CPU is alone: "stays-alone", where the first CPU stays the only one; "runs-now", where
 * a CPU that leaves the mm is forgotten with the entries that it keeps; "count-unflushed", where one that was left out does not
 * flush.
 *
 * "parked" is a tagging that is sound on arm64: the kernel's mm goes under the ASID that is loaded already, where it is an empty
 * root. Entries of the mm that was left stay in TCG then.
 */
#include "mm/shootdown/stages.h"
#include "mm/switch.h"
#include "tests/sabotage/base.h"

extern const struct choice choice_generation, choice_active, choice_count;

static u64 active_in(struct mm *mm)
{
	return choice_active.tracker->switch_in(mm);
}

static struct tag active_entered(struct mm *mm, struct tag tag)
{
	return choice_active.tracker->entered(mm, tag);
}

static void active_holders(const struct request *req, struct cpumask *out)
{
	choice_active.tracker->holders(req, out);
}

static struct tag first_only(struct mm *mm, struct tag tag)
{
	return load_relaxed(&mm->active) ? tag : active_entered(mm, tag);
}

static const struct tracker stays_alone = {
	.switch_in = active_in,
	.entered = first_only,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = active_holders,
	.left = tracker_keep,
	.renewed = tracker_keep,
};

CHOICE(stays_alone, .stage = STAGE_TRACKER, .name = "stays-alone", .needs = SAME_TAGS, .gives = KEEPS_BITS, .sabotage = true,
       .tracker = &stays_alone, .help = "wrong: the first CPU that enters an mm is the only one for good");
SABOTAGE(stays_alone, .name = "stays-alone", .spec = "ipi+generation+stays-alone+quarantine",
	 .help = "the first CPU that enters an mm is the only one for good");

static void forget(struct mm *mm)
{
	choice_active.tracker->left(mm);
}

static const struct tracker runs_now = {
	.switch_in = active_in,
	.entered = active_entered,
	.switch_out = forget,
	.filled = tracker_fill_as_is,
	.holders = active_holders,
	.left = tracker_keep,
	.renewed = tracker_keep,
};

CHOICE(runs_now, .stage = STAGE_TRACKER, .name = "runs-now", .needs = SAME_TAGS, .gives = KEEPS_BITS, .sabotage = true,
       .tracker = &runs_now, .help = "wrong: a CPU that leaves an mm is forgotten, its entries stay");
SABOTAGE(runs_now, .name = "runs-now", .spec = "ipi+generation+runs-now+quarantine",
	 .help = "a CPU that leaves an mm is forgotten, its entries stay");
SABOTAGE(runs_now_parked, .name = "runs-now-parked", .spec = "ipi+parked+runs-now+quarantine",
	 .help = "the same, and the kernel's mm goes under the ASID that is loaded");

static u64 count_in(struct mm *mm)
{
	return choice_count.tracker->switch_in(mm);
}

static void count_out(struct mm *mm)
{
	choice_count.tracker->switch_out(mm);
}

static void count_holders(const struct request *req, struct cpumask *out)
{
	choice_count.tracker->holders(req, out);
}

static const struct tracker count_unflushed = {
	.switch_in = count_in,
	.entered = tracker_same_tag,
	.switch_out = count_out,
	.filled = tracker_fill_as_is,
	.holders = count_holders,
	.left = tracker_keep,
	.renewed = tracker_keep,
};

CHOICE(count_unflushed, .stage = STAGE_TRACKER, .name = "count-unflushed", .needs = SAME_TAGS, .gives = KEEPS_BITS,
       .sabotage = true, .tracker = &count_unflushed, .help = "wrong: who was left out does not flush when it enters the mm again");
SABOTAGE(count_unflushed, .name = "count-unflushed", .spec = "ipi+parked+count-unflushed+quarantine",
	 .help = "who was left out does not flush when it enters the mm again");

static struct tag parked_enter(struct mm *mm, u64 gen)
{
	return mm->kernel ? (struct tag){ .asid = loaded_asid() } : choice_generation.tagging->enter(mm, gen);
}

static bool parked_settled(struct mm *mm, u64 gen)
{
	return choice_generation.tagging->settled(mm, gen);
}

static struct due parked_due(struct mm *mm, const struct request *req)
{
	return choice_generation.tagging->due(mm, req);
}

static void parked_flushed(struct mm *mm, u64 gen)
{
	choice_generation.tagging->flushed(mm, gen);
}

static void parked_not_loaded(struct mm *mm)
{
	choice_generation.tagging->not_loaded(mm);
}

static void parked_release(struct mm *mm)
{
	choice_generation.tagging->release(mm);
}

static void parked_reset(void)
{
	choice_generation.tagging->reset();
}

static void parked_reset_cpu(void)
{
	store_relaxed(&this_cpu()->tlb.asid, 0);
	choice_generation.tagging->reset_cpu();
}

static const char *parked_missing(void)
{
	return choice_generation.missing();
}

static const struct tagging parked = {
	.enter = parked_enter,
	.settled = parked_settled,
	.due = parked_due,
	.flushed = parked_flushed,
	.not_loaded = parked_not_loaded,
	.release = parked_release,
	.reset = parked_reset,
	.reset_cpu = parked_reset_cpu,
};

CHOICE(parked, .stage = STAGE_TAGGING, .name = "parked", .needs = KEEPS_BITS, .gives = SAME_TAGS, .missing = parked_missing,
       .sabotage = true, .tagging = &parked, .help = "generation, but the kernel's mm goes under the ASID that is loaded");
