/* SPDX-License-Identifier: BSD-2-Clause */
/* Strategies composed of the product's own choices, where nothing runs them. */
#include "host/composed.h"

#include "arch/broadcast.h"
#include "arch/clock.h"
#include "arch/frame.h"
#include "check.h"
#include "machine.h"
#include "smp/wait.h"
#include "unit.h"

/* Composing calls no hook, so nothing below the hooks is ever reached. */
_Noreturn void never_called(void);
_Noreturn void never_called(void)
{
	panic("a hook was called");
}

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
#define NEVER(name) __typeof__(name) name __attribute__((alias("never_called")))

NEVER(call_issue);
NEVER(call_sync);
NEVER(call_on);
NEVER(clock_info);
NEVER(frame_contents);
NEVER(frame_fill);
NEVER(tlb_load_root);
NEVER(tlb_flush_range);
NEVER(tlb_flush_tag);
NEVER(tlb_flush_other_tag);
NEVER(tlb_flush_kernel_range);
NEVER(tlb_flush_everything);
NEVER(broadcast_range);
NEVER(broadcast_tag);
NEVER(broadcast_all_tags);
NEVER(broadcast_kernel_range);
NEVER(broadcast_everything);
NEVER(broadcast_sync);
NEVER(wait_slowly);
NEVER(wait_alone);

const char *no_broadcast, *no_hint, *no_ranges;
unsigned nr_tags = 4095;

const char *broadcast_missing(void)
{
	return no_broadcast;
}

const char *broadcast_hint_missing(void)
{
	return no_hint;
}

const char *broadcast_one_by_one_missing(void)
{
	return no_ranges;
}

const char *broadcast_sync_each_missing(void)
{
	return NULL;
}

unsigned tlb_nr_tags(void)
{
	return nr_tags;
}

bool takes_several(enum stage stage)
{
	return stage == STAGE_FILTER || stage == STAGE_POLICY;
}

/* Every stage is filled, once, by what its choice says; all needs are met; filters are in order. Of whatever was composed. */
void expect_whole(const struct strategy *s)
{
	unsigned of[NR_STAGES] = { 0 }, i, f = 0;
	u32 needs = 0, gives = 0;

	for (i = 0; i < s->nr_choices; i++) {
		of[s->choice[i]->stage]++;
		needs |= s->choice[i]->needs;
		gives |= s->choice[i]->gives;
		EXPECT(!s->choice[i]->missing || !s->choice[i]->missing());
	}
	for (i = 0; i < NR_STAGES; i++)
		EXPECT(takes_several(i) || of[i] == 1);
	EXPECT_EQ(s->traits, gives);
	EXPECT_EQ(needs & ~gives, 0);
	EXPECT_EQ(s->nr_filters, of[STAGE_FILTER]);
	EXPECT_EQ(__builtin_popcount(s->policies), of[STAGE_POLICY]);
	EXPECT(s->receive == (s->policies & POLICY_EARLY_ACK ? receive_early : receive_call));
	EXPECT(s->tagging && s->tracker && s->scope && s->batch && s->transport && s->fallback && s->promotion &&
	       s->completion && s->tables);
	for (i = 0; i < s->nr_choices; i++) {
		const struct choice *c = s->choice[i];

		EXPECT(c->stage != STAGE_TAGGING || s->tagging == c->tagging);
		EXPECT(c->stage != STAGE_TRACKER || s->tracker == c->tracker);
		EXPECT(!c->takes_value || (s->value[c->stage] >= c->min && s->value[c->stage] <= c->max));
		EXPECT(c->stage != STAGE_SCOPE || s->scope == c->scope);
		EXPECT(c->stage != STAGE_BATCH || s->batch == c->batch);
		EXPECT(c->stage != STAGE_TRANSPORT || s->transport == c->transport);
		EXPECT(c->stage != STAGE_PROMOTION || s->promotion == c->promotion);
		EXPECT(c->stage != STAGE_POLICY || s->policies & c->policy);
		EXPECT(c->stage != STAGE_COMPLETION || s->completion == c->completion);
		EXPECT(c->stage != STAGE_TABLES || s->tables == c->tables);
		if (c->stage == STAGE_FILTER) {
			for (f = 0; f < s->nr_filters && s->filter[f] != c->filter; f++)
				;
			EXPECT(f < s->nr_filters);
		}
	}
}
