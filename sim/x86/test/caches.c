/* SPDX-License-Identifier: BSD-2-Clause */
/* What is cached, when, and used how: rules 1 to 4, and 9 for page faults. */
#include <stddef.h>

#include "sim/x86/test/world.h"

static struct model_access load(u64 va)
{
	return tlb_access(va, false, 0);
}

static struct model_access store(u64 va)
{
	return tlb_access(va, true, 77);
}

MODEL_TEST(not_present_is_never_cached)
{
	u64 *entry = world_map(ROOT_A, PAGE_1, 0), was = *entry;

	*entry = 0;
	tlb_spontaneous(0, PAGE_1);
	EXPECT(!holds(0, 1, PAGE_1));
	EXPECT(holds_walk(0, 1, PAGE_1, 12));
	*entry = was;
	EXPECT_EQ(load(PAGE_1).value, was & PTE_ADDR);
	EXPECT_EQ(world_faults, 0);
}

MODEL_TEST(reserved_bits_fault)
{
	world_map(ROOT_A, PAGE_1, 1ull << 50);
	world_map_large(ROOT_A, LARGE, 0x4000);
	world_map(ROOT_A, PAGE_FAR, 0);
	*world_entry(ROOT_A, PAGE_FAR, 39) |= PTE_PS;
	tlb_spontaneous(0, PAGE_1);
	tlb_spontaneous(0, LARGE);
	tlb_spontaneous(0, PAGE_FAR);
	EXPECT_EQ(model.cpu[0].nr_tlb, 0);
	EXPECT(load(PAGE_1).fault && load(LARGE).fault && load(PAGE_FAR).fault);
}

MODEL_TEST(not_canonical_faults)
{
	world_map(ROOT_A, PAGE_1, 0);
	EXPECT(load(PAGE_1 | 1ull << 50).fault);
	EXPECT_EQ(model.cpu[0].nr_tlb, 0);
}

/* Speculation too sets A on the whole path, and never D. */
MODEL_TEST(walks_set_a_stores_set_d)
{
	u64 *leaf = world_map(ROOT_A, PAGE_1, 0);
	int shift;

	tlb_spontaneous(0, PAGE_1);
	for (shift = 12; shift <= 39; shift += 9)
		EXPECT_EQ(*world_entry(ROOT_A, PAGE_1, shift) & (PTE_A | PTE_D), PTE_A);
	EXPECT(!load(PAGE_1).fault);
	EXPECT_EQ(*leaf & PTE_D, 0);
	EXPECT(!store(PAGE_1 + 8).fault);
	EXPECT_EQ(*leaf & PTE_D, PTE_D);
	EXPECT_EQ(load(PAGE_1 + 8).value, 77);
	EXPECT_EQ(world_stored, *leaf & PTE_ADDR);
}

/* A cached entry that has A or D does not set them again: a kernel that clears them without a flush may miss uses. */
MODEL_TEST(cached_entries_do_not_set_a_and_d_again)
{
	u64 *leaf = world_map(ROOT_A, PAGE_1, 0);

	EXPECT(!store(PAGE_1).fault);
	*leaf &= ~(PTE_A | PTE_D);
	EXPECT(!store(PAGE_1).fault);
	EXPECT_EQ(*leaf & (PTE_A | PTE_D), 0);
}

/* With D = 0 in the entry the walk for D sees what the tables say now. */
MODEL_TEST(first_store_walks_again)
{
	u64 *leaf = world_map(ROOT_A, PAGE_1, 0);

	EXPECT(!load(PAGE_1).fault);
	*leaf = 0;
	EXPECT(!load(PAGE_1).fault);
	EXPECT(store(PAGE_1).fault);
	EXPECT_EQ(*leaf, 0);
}

MODEL_TEST(stale_entries_stay_in_use)
{
	u64 *leaf = world_map(ROOT_A, PAGE_1, 0), was = *leaf;

	EXPECT_EQ(load(PAGE_1).value, was & PTE_ADDR);
	*leaf = 0;
	EXPECT_EQ(load(PAGE_1).value, was & PTE_ADDR);
	EXPECT_EQ(model.seen.stale_legal, 1);
	world_map(ROOT_A, PAGE_1, 0);
	tlb_spontaneous(0, PAGE_1);
	EXPECT_EQ(load(PAGE_1).value, was & PTE_ADDR);
	EXPECT_EQ(model.cpu[0].nr_tlb, 1);
}

/* Rule 4: the tables above a cached one are not looked at. */
MODEL_TEST(walk_caches_skip_upper_levels)
{
	u64 *table = world_entry(ROOT_A, PAGE_1, 21);

	world_map(ROOT_A, PAGE_1, 0);
	world_map(ROOT_A, PAGE_2, 0);
	tlb_spontaneous(0, PAGE_1);
	*table = 0;
	tlb_spontaneous(0, PAGE_2);
	EXPECT(holds(0, 1, PAGE_2));
	/* Not for another PCID, and not after they were dropped. */
	EXPECT(!tlb_write_cr3(ROOT_A | 3 | MODEL_NOFLUSH));
	tlb_spontaneous(0, PAGE_1);
	EXPECT(!holds(0, 3, PAGE_1));
}

/* Rule 1: rights are those of all levels, also of those that a walk cache skips. */
MODEL_TEST(rights_accumulate)
{
	world_map(ROOT_A, PAGE_1, 0);
	world_map(ROOT_A, PAGE_2, 0);
	*world_entry(ROOT_A, PAGE_1, 30) &= ~PTE_W;
	tlb_spontaneous(0, PAGE_1);
	EXPECT(!load(PAGE_1).fault);
	EXPECT(store(PAGE_1).fault);
	tlb_spontaneous(0, PAGE_1);
	EXPECT(holds_walk(0, 1, PAGE_2, 12));
	EXPECT(store(PAGE_2).fault);
	EXPECT(!tlb_tables_say(ROOT_A, PAGE_2).write);
}

MODEL_TEST(tags)
{
	u64 *a = world_map(ROOT_A, PAGE_1, 0), *b = world_map(ROOT_B, PAGE_1, 0), *g = world_map(ROOT_A, KERNEL, PTE_G);

	EXPECT_EQ(load(PAGE_1).value, *a & PTE_ADDR);
	EXPECT_EQ(load(KERNEL).value, *g & PTE_ADDR);
	EXPECT(!tlb_write_cr3(ROOT_B | 2 | MODEL_NOFLUSH));
	EXPECT_EQ(load(PAGE_1).value, *b & PTE_ADDR);
	EXPECT_EQ(load(KERNEL).value, *g & PTE_ADDR); /* which ROOT_B does not map */
	EXPECT(!tlb_write_cr3(ROOT_A | 1 | MODEL_NOFLUSH));
	*a = 0;
	EXPECT(!load(PAGE_1).fault);
}

MODEL_TEST(g_needs_pge)
{
	EXPECT(!tlb_write_cr4(MODEL_PCIDE));
	world_map(ROOT_A, KERNEL, PTE_G);
	EXPECT(!load(KERNEL).fault);
	EXPECT(!tlb_write_cr3(ROOT_A | 1));
	EXPECT(!holds(0, 1, KERNEL));
}

/* Rule 3: a large page whole or in pieces; both happen, INVLPG anywhere in it drops either. */
static u8 shift_seen;

static void fill_large(unsigned cpu)
{
	(void)cpu;
	tlb_spontaneous(0, LARGE + 0x5000);
	shift_seen = model.cpu[0].tlb[0].shift;
	EXPECT_EQ(load(LARGE + 0x5008).value, (*world_entry(ROOT_A, LARGE, 21) & PTE_ADDR & ~0x1fffffull) + 0x5008);
	EXPECT_EQ(holds(0, 1, LARGE + 0x6000), shift_seen == 21);
	EXPECT(!tlb_invlpg(LARGE + 0x100000));
	EXPECT(!holds(0, 1, LARGE + 0x5000));
}

MODEL_TEST(large_pages_whole_and_in_pieces)
{
	unsigned pieces = 0, whole = 0;
	u64 seed;

	for (seed = 1; seed <= 40; seed++) {
		world_begin();
		world_map_large(ROOT_A, LARGE, 0);
		EXPECT(!run_seed(seed, 1, fill_large));
		pieces += shift_seen == 12;
		whole += shift_seen == 21;
	}
	EXPECT(pieces > 5 && whole > 5);
}

/* Rule 9: whatever was stale, the fault comes once. */
MODEL_TEST(page_faults_heal_rights)
{
	u64 *leaf = world_map(ROOT_A, PAGE_1, 0);

	world_map(ROOT_A, PAGE_2, 0);
	world_repairs = true;
	*leaf &= ~PTE_W;
	EXPECT(!load(PAGE_1).fault && !load(PAGE_2).fault);
	*leaf |= PTE_W;
	EXPECT(!store(PAGE_1).fault);
	EXPECT_EQ(world_faults, 1);
	EXPECT(holds(0, 1, PAGE_2)); /* and nothing else is dropped */
}

MODEL_TEST(page_faults_heal_global_entries)
{
	u64 *leaf = world_map(ROOT_A, KERNEL, PTE_G);

	world_repairs = true;
	*leaf &= ~PTE_W;
	EXPECT(!load(KERNEL).fault);
	*leaf |= PTE_W;
	EXPECT(!store(KERNEL).fault);
	EXPECT_EQ(world_faults, 1);
}

/* An old table that lacks the entry, a new one that has it. */
MODEL_TEST(page_faults_heal_walk_caches)
{
	u64 *table = world_entry(ROOT_A, PAGE_1, 21);

	world_map(ROOT_A, PAGE_2, 0);
	world_map(ROOT_A, PAGE_FAR, 0);
	world_repairs = true;
	EXPECT(!load(PAGE_2).fault && !load(PAGE_FAR).fault);
	*table = 0;
	world_map(ROOT_A, PAGE_1, 0);
	EXPECT(!load(PAGE_1).fault);
	EXPECT_EQ(world_faults, 1);
	EXPECT(holds_walk(0, 1, PAGE_FAR, 12));
}

/* Speculation fills what CR3 reaches and nothing else; kernel addresses too. */
MODEL_TEST(speculation_starts_at_cr3)
{
	world_map(ROOT_B, PAGE_1, 0);
	world_map(ROOT_A, KERNEL, PTE_G);
	tlb_spontaneous(0, PAGE_1);
	tlb_spontaneous(0, KERNEL);
	EXPECT(!holds(0, 1, PAGE_1));
	EXPECT(holds(0, 1, KERNEL));
	EXPECT_EQ(model.seen.speculative_fills, 1);
}
