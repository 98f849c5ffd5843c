/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks that do nothing, and the stages that have one choice so far. No state. */
#include "arch/pte.h"
#include "machine.h"
#include "mm/shootdown/stages.h"

void tagging_nothing(void)
{
}

void tagging_catches_up(struct mm *mm)
{
	(void)mm;
}

void tracker_keep(struct mm *mm)
{
	(void)mm;
}

struct tag tracker_same_tag(struct mm *mm, struct tag tag)
{
	(void)mm;
	return tag;
}

struct pte tracker_fill_as_is(struct mm *mm, struct va va, struct pte pte)
{
	(void)mm, (void)va;
	return pte;
}

enum take transport_takes_all(const struct request *req)
{
	(void)req;
	return TAKE;
}

void transport_nothing(struct flight *flight)
{
	(void)flight;
}

void transport_no_sweep(void)
{
}

bool completion_nothing_held(void)
{
	return true;
}

static struct pa shared_root(struct mm *mm)
{
	return mm->root;
}

static const struct tables shared = { .root = shared_root };

CHOICE(shared, .stage = STAGE_TABLES, .name = "shared", .by_default = true, .tables = &shared,
       .help = "one set of page tables per mm");

static bool never_joins(struct gather *gather, struct flight *flight, enum take take)
{
	(void)gather, (void)flight, (void)take;
	return false;
}

static const struct batch single = { .joins = never_joins };

CHOICE(single, .stage = STAGE_BATCH, .name = "single", .by_default = true, .batch = &single,
       .help = "each change is flushed by itself, at once");

CHOICE(overlap, .stage = STAGE_POLICY, .name = "overlap", .needs = REMOTE, .policy = POLICY_OVERLAP,
       .help = "the initiator flushes its own TLB while the targets work, not after (Linux 5.13 onwards)");
