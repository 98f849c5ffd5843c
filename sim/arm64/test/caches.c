/* SPDX-License-Identifier: BSD-2-Clause */
/* What is cached, when, and used how: rules 19, 20, 27, 29, 32. */
#include <string.h>

#include <machine/primitives.h>

#include "sim/arm64/test/world.h"

static struct model_access load(u64 va)
{
	return tlb_access(va, false, 0);
}

MODEL_TEST(what_faults_for_no_right_is_not_cached)
{
	u64 *invalid = world_map(ROOT_A, PAGE_1, 0), *block_of_4k = world_map(ROOT_A, PAGE_2, 0);

	*invalid &= ~PTE_VALID;
	*block_of_4k &= ~PTE_NOT_BLOCK;
	EXPECT(load(PAGE_1).fault && load(PAGE_2).fault);
	EXPECT_EQ(model.cpu[0].nr_tlb, 0);
	EXPECT(holds_walk(0, 1, PAGE_1, 12));
	world_map(ROOT_A, PAGE_FAR, 0);
	EXPECT(load(PAGE_FAR | 1ull << 48).fault && !load(PAGE_FAR).fault);
}

MODEL_TEST(access_flag)
{
	u64 *entry = world_map(ROOT_A, PAGE_1, 0);

	*entry &= ~PTE_AF;
	tlb_spontaneous(0, PAGE_1);
	EXPECT(*entry & PTE_AF && holds(0, 1, PAGE_1));
	world_begin();
	entry = world_map(ROOT_A, PAGE_1, 0);
	*entry &= ~PTE_AF;
	model.features &= ~HAS_HAF;
	EXPECT(load(PAGE_1).fault);
	EXPECT(!(*entry & PTE_AF) && !holds(0, 1, PAGE_1));
}

/* Unlike x86's. An entry that lacks a right is cached, and stays. */
MODEL_TEST(faults_invalidate_nothing)
{
	u64 *entry = world_map(ROOT_A, PAGE_1, PTE_READ_ONLY);

	EXPECT(tlb_access(PAGE_1, true, 7).fault);
	EXPECT(holds(0, 1, PAGE_1));
	*entry &= ~PTE_READ_ONLY;
	EXPECT(tlb_access(PAGE_1, true, 7).fault);
	EXPECT_EQ(world_faults, 2);
}

MODEL_TEST(rights_accumulate)
{
	world_map(ROOT_A, PAGE_1, 0);
	*world_entry(ROOT_A, PAGE_1, 30) |= PTE_TABLE_READ_ONLY;
	EXPECT(tlb_access(PAGE_1, true, 7).fault && !load(PAGE_1).fault);
}

MODEL_TEST(halves_and_tags)
{
	u64 a = *world_map(ROOT_A, PAGE_1, 0) & PTE_ADDR, b = *world_map(ROOT_B, PAGE_1, 0) & PTE_ADDR;

	world_map_global(ROOT_A, KERNEL);
	world_map_global(ROOT_A, KERNEL + PAGE);
	EXPECT_EQ(load(PAGE_1).value, a);
	EXPECT(!load(KERNEL).fault);
	world_load(ROOT_B, 2);
	EXPECT_EQ(load(PAGE_1).value, b);
	EXPECT(holds(0, 2, KERNEL) && !load(KERNEL).fault && !load(KERNEL + PAGE).fault); /* TTBR1 stays */
	world_load(ROOT_A, 1);
	*world_entry(ROOT_A, PAGE_1, 12) = 0;
	EXPECT_EQ(load(PAGE_1).value, a);
}

/* Rule 29: until an ISB either root may be walked. */
static unsigned which;

static void write_and_touch(unsigned cpu)
{
	if (cpu)
		return;
	sim_write_ttbr0(TTBR(ROOT_B, 2));
	if (which)
		sim_isb();
	EXPECT(!load(PAGE_1).fault);
}

static unsigned old_roots(void)
{
	unsigned n = 0;
	u64 seed;

	for (seed = 1; seed < 200; seed++) {
		world_begin();
		world_map(ROOT_A, PAGE_1, 0);
		world_map(ROOT_B, PAGE_1, 0);
		EXPECT(!run_seed(seed, 2, write_and_touch));
		n += holds(0, 1, PAGE_1);
	}
	return n;
}

MODEL_TEST(a_root_is_in_use_after_isb)
{
	which = 0;
	EXPECT(old_roots());
	which = 1;
	EXPECT_EQ(old_roots(), 0);
}

static void same_asid(unsigned cpu)
{
	if (!cpu)
		sim_write_ttbr0(TTBR(ROOT_B, 1));
}

static void flushed_asid(unsigned cpu)
{
	if (cpu)
		return;
	sim_write_ttbr0(TTBR(0, 0));
	sim_isb();
	sim_tlbi(TLBI_ASID, 1ull << 48);
	sim_dsb(DSB_NSH);
	sim_write_ttbr0(TTBR(ROOT_B, 1));
}

MODEL_TEST(i_tag)
{
	EXPECT(run(2, same_asid) && !strcmp(outcome.oracle, "I-TAG"));
	world_begin();
	EXPECT(!run(2, flushed_asid));
}

static void touch(unsigned cpu)
{
	if (!cpu)
		load(PAGE_1);
}

/* Rule 27: rights may differ, global or not may not. */
static const char *two_entries(u64 differs)
{
	u64 *entry;

	world_begin();
	entry = world_map(ROOT_A, PAGE_1, 0);
	load(PAGE_1);
	*entry ^= differs;
	model.cpu[0].tlb[0].page ^= 1; /* as if it were not there, so that the other one is filled */
	load(PAGE_1);
	model.cpu[0].tlb[0].page ^= 1;
	return run(2, touch) ? outcome.oracle : "";
}

MODEL_TEST(o_multi)
{
	EXPECT(!strcmp(two_entries(PTE_NG), "O-MULTI"));
	EXPECT(!strcmp(two_entries(1 << 13), "O-MULTI")); /* the address */
	EXPECT(!strcmp(two_entries(4), "O-MULTI")); /* the memory type */
	EXPECT(!strcmp(two_entries(PTE_CONTIGUOUS), "O-MULTI"));
	EXPECT(!strcmp(two_entries(PTE_READ_ONLY), ""));
}

static u64 *changed, becomes;

static void change(unsigned cpu)
{
	if (!cpu)
		sim_xchg(changed, becomes);
}

/* Rule 27: what becomes of an entry in one store. */
static const char *changes_by(u64 differs)
{
	world_begin();
	changed = world_map(ROOT_A, PAGE_1, 0);
	becomes = *changed ^ differs;
	return run(2, change) ? outcome.oracle : "";
}

MODEL_TEST(i_break)
{
	EXPECT(!strcmp(changes_by(1 << 13), "I-BREAK")); /* the address */
	EXPECT(!strcmp(changes_by(PTE_NG), "I-BREAK"));
	EXPECT(!strcmp(changes_by(4), "I-BREAK")); /* the memory type */
	EXPECT(!strcmp(changes_by(1 << 13 | PTE_VALID), "")); /* it is taken away */
	EXPECT(!strcmp(changes_by(PTE_READ_ONLY | PTE_USER | 3ull << 53 | PTE_AF | 1ull << 55), ""));
}
