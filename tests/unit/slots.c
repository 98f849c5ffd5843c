/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/asid/slots.c mm/shootdown/stages.c */
/* Tagging "slots" with 1, 2, 6 and 64 tags: which tag an mm gets, whether it is flushed, and what is due for a request. */
#include "mm/shootdown/strategy.h"
#include "mm/switch.h"
#include "unit.h"

extern const struct choice choice_slots;

static const struct tagging *slots;
static struct tlb_state *tlb;
static unsigned nr_tags;

static const unsigned tag_counts[] = { 1, 2, 6, MAX_TAGS };

/* The stand-in for the hardware. */
unsigned tlb_nr_tags(void)
{
	return nr_tags;
}

static void begin(unsigned tags)
{
	static struct strategy strategy = { .value = { [STAGE_TAGGING] = MAX_TAGS } };

	nr_tags = tags;
	machine.shootdown.strategy = &strategy;
	slots = choice_slots.tagging;
	tlb = &this_cpu()->tlb;
	slots->reset_cpu();
}

/* As switch_mm() does it, without the hardware. */
static struct tag enter(struct mm *mm, u64 gen)
{
	struct tag tag = slots->enter(mm, gen);

	store_relaxed(&tlb->asid, tag.asid);
	return tag;
}

static void expect_tag(struct tag tag, unsigned asid, bool flush)
{
	EXPECT_EQ(tag.asid, asid);
	EXPECT_EQ(tag.flush, flush);
}

UNIT_TEST(slots_round_robin)
{
	struct mm mm[MAX_TAGS + 1] = { 0 };
	unsigned i, n, round;

	for (i = 0; i < ARRAY_SIZE(mm); i++)
		mm[i].ctx_id = 100 + i;
	for (n = 0; n < ARRAY_SIZE(tag_counts); n++) {
		begin(tag_counts[n]);
		for (i = 0; i < nr_tags; i++)
			expect_tag(enter(&mm[i], 1), i, true);
		for (i = 0; i < nr_tags; i++) /* each found again, nothing lost */
			expect_tag(enter(&mm[i], 1), i, false);
		/* One more than there are tags, in turns: each takes the oldest one's, so nobody is ever found. */
		for (round = 0; round < 4 * (nr_tags + 1); round++)
			expect_tag(enter(&mm[(nr_tags + round) % (nr_tags + 1)], 1), round % nr_tags, true);
	}
}

/* An mm that was freed and made anew in the same memory: another ctx_id at the same address, even with a lower generation. */
UNIT_TEST(slots_go_by_ctx_id_not_by_address)
{
	struct mm mm = { .ctx_id = 7 };
	unsigned n;

	for (n = 0; n < ARRAY_SIZE(tag_counts); n++) {
		begin(tag_counts[n]);
		expect_tag(enter(&mm, 5), 0, true);
		slots->release(&mm);
		mm.ctx_id++;
		expect_tag(enter(&mm, 1), 1 % nr_tags, true);
		expect_tag(enter(&mm, 1), 1 % nr_tags, false);
	}
}

UNIT_TEST(slots_flush_when_behind)
{
	struct mm a = { .ctx_id = 1 }, b = { .ctx_id = 2 };

	begin(2);
	expect_tag(enter(&a, 3), 0, true);
	expect_tag(enter(&b, 9), 1, true);
	expect_tag(enter(&a, 3), 0, false);
	expect_tag(enter(&a, 4), 0, true); /* missed one; its tag stays its */
	EXPECT(slots->settled(&a, 4) && !slots->settled(&a, 5));
	expect_tag(enter(&a, 4), 0, false); /* what was reached was recorded */
	expect_tag(enter(&b, 9), 1, false); /* and only for this mm */
	slots->flushed(&b, 12);
	expect_tag(enter(&a, 4), 0, false);
	expect_tag(enter(&b, 12), 1, false);
	expect_tag(enter(&b, 13), 1, true);
}

UNIT_TEST(slots_reset)
{
	struct mm mm = { .ctx_id = 1 };
	unsigned n, i;

	for (n = 0; n < ARRAY_SIZE(tag_counts); n++) {
		begin(tag_counts[n]);
		enter(&mm, 1);
		slots->reset_cpu();
		for (i = 0; i < MAX_TAGS; i++)
			EXPECT_EQ(tlb->slot[i].ctx_id, 0);
		expect_tag(enter(&mm, 1), 0, true);
	}
}

/* The caller's mistakes: a tag that holds another mm is never asked for this one. */
UNIT_TEST(slots_of_an_mm_that_is_not_loaded)
{
	struct mm a = { .ctx_id = 1 }, b = { .ctx_id = 2 };
	struct request req = { .new_gen = 2 };

	begin(2);
	enter(&a, 1);
	EXPECT_CHECK(slots->settled(&b, 1));
	EXPECT_CHECK(slots->due(&b, &req));
}

#define GENS 8

/*
 * The rule by itself, from what the flush has to achieve and not from how it is coded. `have`: all requests up to it are done here.
 * Afterwards everything up to due.gen has to be done; a range does request new_gen alone, a tag does all.
 */
static bool range_is_enough(u64 have, u64 new_gen, u64 gen, bool full)
{
	u64 missing;

	for (missing = have + 1; missing <= gen; missing++)
		if (missing != new_gen || full)
			return false;
	return true;
}

static void expect_due(struct mm *mm, u64 have, u64 new_gen, u64 latest, bool full)
{
	struct request req = { .mm = mm, .new_gen = new_gen, .full = full };
	struct due due;

	slots->flushed(mm, have);
	store_relaxed(&mm->tlb_gen, latest);
	due = slots->due(mm, &req);
	/* What is asked for is done afterwards. A request without a generation, of a batch, wants what is there now. */
	if (due.what == DUE_NOTHING) {
		EXPECT(have >= (new_gen ? new_gen : latest));
		return;
	}
	EXPECT_EQ(due.gen, latest);
	EXPECT(due.gen >= new_gen && due.gen >= have);
	if (due.what == DUE_RANGE)
		EXPECT(new_gen && range_is_enough(have, new_gen, due.gen, full));
	else
		EXPECT_EQ(due.what, DUE_TAG);
	/* And no more than that: nothing if it is done, a range where that is enough. */
	EXPECT(have < (new_gen ? new_gen : latest));
	if (new_gen && range_is_enough(have, new_gen, latest, full))
		EXPECT_EQ(due.what, DUE_RANGE);
}

UNIT_TEST(slots_due_everywhere)
{
	struct mm mm = { .ctx_id = 1 };
	u64 have, new_gen, latest;
	unsigned n, full, seen = 0;

	for (n = 0; n < ARRAY_SIZE(tag_counts); n++) {
		begin(tag_counts[n]);
		enter(&mm, 1);
		for (latest = 1; latest <= GENS; latest++)
			for (have = 1; have <= latest; have++)
				for (new_gen = 0; new_gen <= latest; new_gen++)
					for (full = 0; full < 2 && !unit_failures(); full++, seen++)
						expect_due(&mm, have, new_gen, latest, full);
	}
	EXPECT(seen > 1000);
}

/*
 * Requests, some full, some of one page, are served in any order; a model of the TLB remembers for which of them an old entry may
 * still be there. Whenever one has been served, its own entry is gone, and those of all generations that are recorded as reached.
 */
struct model {
	bool stale[GENS + 1]; /* the entry that request g is about */
	bool full[GENS + 1];
};

static void serve(struct mm *mm, struct model *m, u64 gen)
{
	struct request req = { .mm = mm, .new_gen = gen, .full = m->full[gen] };
	struct due due = slots->due(mm, &req);
	u64 g;

	if (due.what == DUE_TAG)
		memset(m->stale, 0, sizeof(m->stale));
	else if (due.what == DUE_RANGE)
		m->stale[gen] = false;
	if (due.what != DUE_NOTHING)
		slots->flushed(mm, due.gen);
	EXPECT(!m->stale[gen]);
	for (g = 1; g <= GENS; g++)
		EXPECT(!(m->stale[g] && slots->settled(mm, g)));
}

/* Two requests, 1->2 full and 2->3 one page, served in reverse: the page alone, recorded as 3, would lose the full one. */
UNIT_TEST(slots_out_of_order)
{
	struct mm mm = { .ctx_id = 1 };
	struct model m = { .stale = { [2] = true, [3] = true }, .full = { [2] = true } };
	struct request late = { .mm = &mm, .new_gen = 3 };
	struct due due;

	begin(1);
	store_relaxed(&mm.tlb_gen, 1);
	enter(&mm, 1);
	store_relaxed(&mm.tlb_gen, 3);
	due = slots->due(&mm, &late);
	EXPECT_EQ(due.what, DUE_TAG);
	EXPECT_EQ(due.gen, 3);
	serve(&mm, &m, 3);
	serve(&mm, &m, 2);
	EXPECT(slots->settled(&mm, 3));
}

/* Every order in which five requests can be made and served, each served after it was made; every pattern of full ones. */
static void interleave(struct mm *mm, struct model m, u64 made, unsigned pending, unsigned last)
{
	struct tlb_state before = *tlb;
	u64 g;

	if (made < last) {
		struct model more = m;

		store_relaxed(&mm->tlb_gen, made + 1);
		more.stale[made + 1] = true;
		interleave(mm, more, made + 1, pending | 1u << (made + 1), last);
		store_relaxed(&mm->tlb_gen, made);
		*tlb = before;
	}
	for (g = 2; g <= made && !unit_failures(); g++) {
		struct model done = m;

		if (!(pending & 1u << g))
			continue;
		serve(mm, &done, g);
		interleave(mm, done, made, pending & ~(1u << g), last);
		*tlb = before;
	}
}

UNIT_TEST(slots_every_order)
{
	struct mm mm = { .ctx_id = 1 };
	unsigned full, g;

	for (full = 0; full < 32; full++) {
		struct model m = { 0 };

		for (g = 0; g < 5; g++)
			m.full[g + 2] = full >> g & 1;
		begin(1);
		store_relaxed(&mm.tlb_gen, 1);
		enter(&mm, 1);
		interleave(&mm, m, 1, 0, 6);
	}
}
