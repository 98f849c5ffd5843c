/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The oracles that look at translations, both ways: each speaks where it must, is silent in the legal case next to it, and can be
 * switched off. And the second O-STALE agrees with the first. (Those that look at the kernel are in oracle.c, and proven by the
 * zoo.)
 */
#include <stddef.h>
#include <string.h>

#include "sim/x86/test/world.h"

static void (*script)(void);

static void as_cpu_0(unsigned cpu)
{
	if (!cpu)
		script();
}

/* The oracle that speaks in what() on CPU 0, "" for none. */
static const char *says(void (*what)(void))
{
	script = what;
	return run(2, as_cpu_0) ? outcome.oracle : "";
}

#define SAYS(what, oracle)                                                                                                         \
	do {                                                                                                                       \
		const char *said_ = says(what);                                                                                    \
		if (strcmp(said_, oracle))                                                                                         \
			test_failed(__FILE__, __LINE__, #what " says \"%s\": %s", said_, outcome.text);                            \
	} while (0)

/* ... and says `other` when it is switched off. */
#define WITHOUT(name, what, other)                                                                                                 \
	do {                                                                                                                       \
		EXPECT(oracle_switch(name, false));                                                                                \
		SAYS(what, other);                                                                                                 \
		EXPECT(oracle_switch(name, true));                                                                                 \
	} while (0)

static void load(u64 va)
{
	tlb_access(va, false, 0);
}

static void one_page(void)
{
	world_begin();
	world_map(ROOT_A, PAGE_1, 0);
	load(PAGE_1);
}

static void promise(void)
{
	model.step++; /* 0 means never */
	tlb_condemn(ROOT_A, PAGE_1, PAGE_1 + PAGE, false);
	tlb_promise();
}

static void zap_touch(void)
{
	world_take(ROOT_A, PAGE_1, 12, 0);
	load(PAGE_1);
}

static void zap_promise_touch(void)
{
	world_take(ROOT_A, PAGE_1, 12, 0);
	promise();
	load(PAGE_1);
}

static void zap_flush_promise_touch(void)
{
	world_take(ROOT_A, PAGE_1, 12, 0);
	tlb_invlpg(PAGE_1);
	promise();
	load(PAGE_1);
}

/* What others change while a flush goes on is not its promise. */
static void condemned_before_the_change(void)
{
	model.step++;
	tlb_condemn(ROOT_A, PAGE_1, PAGE_1 + PAGE, false);
	world_take(ROOT_A, PAGE_1, 12, 0);
	tlb_promise();
	load(PAGE_1);
}

static void other_page_promised(void)
{
	world_take(ROOT_A, PAGE_1, 12, 0);
	model.step++;
	tlb_condemn(ROOT_A, PAGE_2, PAGE_2 + PAGE, false);
	tlb_condemn(ROOT_B, PAGE_1, PAGE_1 + PAGE, false);
	tlb_promise();
	load(PAGE_1);
}

MODEL_TEST(o_stale)
{
	one_page();
	SAYS(zap_touch, "");
	EXPECT_EQ(model.seen.stale_legal, 1);
	one_page();
	SAYS(zap_promise_touch, "O-STALE");
	EXPECT(strstr(outcome.text, "that it was gone") != NULL); /* the entry's own, not the set's */
	one_page();
	SAYS(zap_flush_promise_touch, "");
	EXPECT_EQ(world_faults, 1);
	one_page();
	SAYS(condemned_before_the_change, "");
	one_page();
	SAYS(other_page_promised, "");
	one_page();
	WITHOUT("O-STALE", zap_promise_touch, "");
}

/* The entry is not there, but could be: only the set sees it. */
static void zap_promise_lucky(void)
{
	world_take(ROOT_A, PAGE_1, 12, 0);
	promise();
	model.cpu[0].nr_tlb = 0;
	world_map(ROOT_A, PAGE_1, 0);
	load(PAGE_1);
}

static void set_forgets(void)
{
	world_take(ROOT_A, PAGE_1, 12, 0);
	model.cpu[0].nr_stale = 0;
	promise();
	load(PAGE_1);
}

MODEL_TEST(second_o_stale)
{
	one_page();
	SAYS(zap_promise_lucky, "O-STALE");
	EXPECT(strstr(outcome.text, "may hold") != NULL);
	one_page();
	WITHOUT("O-STALE", zap_promise_lucky, "");
	one_page();
	SAYS(set_forgets, "MODEL");
}

/* Whatever kills the entry takes it out of the set, and nothing else does. */
MODEL_TEST(the_set_agrees)
{
	static const struct {
		u64 cr3, invlpg, tag;
		bool gone;
	} rows[] = {
		{ .invlpg = PAGE_1, .gone = true },  { .invlpg = PAGE_2 },  { .tag = 1, .gone = true },	   { .tag = 2 },
		{ .cr3 = ROOT_A | 1, .gone = true }, { .cr3 = ROOT_B | 2 }, { .cr3 = ROOT_B | 2 | MODEL_NOFLUSH },
	};
	unsigned i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		one_page();
		world_take(ROOT_A, PAGE_1, 12, 0);
		EXPECT(stale_set_find(&model.cpu[0], 1, ROOT_A, PAGE_1));
		if (rows[i].cr3)
			EXPECT(!tlb_write_cr3(rows[i].cr3));
		if (rows[i].invlpg)
			EXPECT(!tlb_invlpg(rows[i].invlpg));
		if (rows[i].tag)
			EXPECT(!tlb_invpcid(1, rows[i].tag, 0));
		EXPECT_EQ(holds(0, 1, PAGE_1), !rows[i].gone);
		EXPECT_EQ(!!stale_set_find(&model.cpu[0], 1, ROOT_A, PAGE_1), !rows[i].gone);
		EXPECT(stale_set_find(&model.cpu[1], 1, ROOT_A, PAGE_1)); /* the other CPU has done nothing */
	}
}

/* Ranges are cut by flushes and promises of parts. */
MODEL_TEST(the_set_in_pieces)
{
	u64 page;

	for (page = 0; page < 8; page++)
		stale_set_change(ROOT_A, PAGE_1 + page * PAGE, 12, false);
	EXPECT_EQ(model.cpu[0].nr_stale, 1);
	EXPECT(!tlb_invlpg(PAGE_1 + 3 * PAGE));
	EXPECT_EQ(model.cpu[0].nr_stale, 2);
	model.step++;
	tlb_condemn(ROOT_A, PAGE_1 + 2 * PAGE, PAGE_1 + 6 * PAGE, false);
	tlb_promise();
	for (page = 0; page < 8; page++) {
		const struct stale_range *r = stale_set_find(&model.cpu[0], 1, ROOT_A, PAGE_1 + page * PAGE);

		EXPECT_EQ(!!r, page != 3);
		EXPECT(!r || !!r->promised == (page >= 2 && page < 6));
	}
}

static void protect_promise_touch(void)
{
	world_take(ROOT_A, PAGE_1, 12, ~PTE_W);
	promise();
	load(PAGE_1);
}

static void allow_promise_touch(void)
{
	*world_entry(ROOT_A, PAGE_1, 12) |= PTE_W;
	promise();
	load(PAGE_1);
}

MODEL_TEST(o_perm)
{
	one_page();
	SAYS(protect_promise_touch, "O-PERM");
	world_begin();
	*world_map(ROOT_A, PAGE_1, 0) &= ~PTE_W;
	load(PAGE_1);
	SAYS(allow_promise_touch, "");
}

static void free_touch(void)
{
	world_free(*world_entry(ROOT_A, PAGE_1, 12) & PTE_ADDR);
	load(PAGE_1);
}

static void free_only(void)
{
	world_free(*world_entry(ROOT_A, PAGE_1, 12) & PTE_ADDR);
}

MODEL_TEST(o_frame)
{
	one_page();
	SAYS(free_touch, "O-FRAME");
	one_page();
	SAYS(free_only, "");
	one_page();
	WITHOUT("O-FRAME", free_touch, "");
}

static void free_table_speculate(void)
{
	world_free(*world_entry(ROOT_A, PAGE_1, 21) & PTE_ADDR);
	tlb_spontaneous(0, PAGE_2);
}

/* Detached, freed, and a table of somebody else by now: only the walk cache still leads there. */
static void reuse_table_speculate(void)
{
	u64 *entry = world_entry(ROOT_A, PAGE_1, 21), table = *entry & PTE_ADDR;

	*entry = 0;
	world_reuse(table);
	*world_entry(ROOT_B, PAGE_FAR, 39) = table | RW;
	world_entry(ROOT_B, PAGE_FAR, 12);
	tlb_spontaneous(0, PAGE_2);
}

/* Never freed, but nothing that may be walked. */
static void wrong_pointer_speculate(void)
{
	*world_entry(ROOT_A, PAGE_FAR, 39) = (*world_entry(ROOT_A, PAGE_1, 12) & PTE_ADDR) | RW;
	tlb_spontaneous(0, PAGE_FAR);
}

static void free_root_speculate(void)
{
	world_reuse(ROOT_A);
	tlb_spontaneous(0, PAGE_FAR);
}

static void detach_table_speculate(void)
{
	*world_entry(ROOT_A, PAGE_1, 21) = 0;
	tlb_spontaneous(0, PAGE_2);
}

MODEL_TEST(o_table)
{
	one_page();
	SAYS(free_table_speculate, "O-TABLE");
	one_page();
	SAYS(reuse_table_speculate, "O-TABLE");
	one_page();
	SAYS(wrong_pointer_speculate, "O-TABLE");
	one_page();
	SAYS(free_root_speculate, "O-TABLE");
	one_page();
	SAYS(detach_table_speculate, "");
	one_page();
	WITHOUT("O-TABLE", free_table_speculate, "");
}

static void same_pcid_other_root(void)
{
	tlb_write_cr3(ROOT_B | 1 | MODEL_NOFLUSH);
	load(PAGE_1);
}

static void same_pcid_other_root_flushed(void)
{
	tlb_write_cr3(ROOT_B | 1);
	load(PAGE_1);
}

static void other_pcid_other_root(void)
{
	tlb_write_cr3(ROOT_B | 2 | MODEL_NOFLUSH);
	load(PAGE_1);
	tlb_write_cr3(ROOT_A | 1 | MODEL_NOFLUSH);
	load(PAGE_1);
}

static void same_pcid_walk(void)
{
	tlb_write_cr3(ROOT_B | 1 | MODEL_NOFLUSH);
	tlb_spontaneous(0, PAGE_2);
}

MODEL_TEST(i_tag_and_o_xmm)
{
	one_page();
	SAYS(same_pcid_other_root, "I-TAG");
	one_page();
	WITHOUT("I-TAG", same_pcid_other_root, "O-XMM");
	one_page();
	WITHOUT("I-TAG", same_pcid_walk, "O-XMM");
	one_page();
	SAYS(same_pcid_other_root_flushed, "");
	one_page();
	SAYS(other_pcid_other_root, "");
}

/* 4K pages become a large one without a flush; the walk caches alone are dropped, by another page's INVPCID. */
static void collapse(u64 bits)
{
	world_begin();
	world_map(ROOT_A, LARGE + PAGE, 0);
	load(LARGE + PAGE);
	*world_entry(ROOT_A, LARGE, 21) = 0;
	world_map_large(ROOT_A, LARGE, bits);
	EXPECT(!tlb_invpcid(0, 1, LARGE + 8 * PAGE));
	tlb_spontaneous(0, LARGE + 8 * PAGE);
	EXPECT_EQ(model.cpu[0].nr_tlb, 2);
}

static void touch_both(void)
{
	load(LARGE + PAGE);
}

static void touch_one(void)
{
	load(LARGE + 2 * PAGE);
}

MODEL_TEST(o_multi)
{
	collapse(0);
	SAYS(touch_both, "O-MULTI");
	collapse(0);
	SAYS(touch_one, "");
	collapse(0);
	WITHOUT("O-MULTI", touch_both, "");
}

MODEL_TEST(oracles_by_name)
{
	EXPECT(!oracle_switch("O-NONE", false) && !oracle_only("O-NONE"));
	EXPECT(oracle_on("O-STALE") && oracle_on("I-GATHER"));
	EXPECT(oracle_only("O-FRAME"));
	EXPECT(oracle_on("O-FRAME") && !oracle_on("O-STALE") && !oracle_on("I-GATHER"));
	one_page();
	SAYS(zap_promise_touch, "");
	EXPECT(oracle_switch("O-STALE", true));
	one_page();
	SAYS(zap_promise_touch, "O-STALE");
	EXPECT(strstr(oracle_names(), "O-XMM") != NULL);
}
