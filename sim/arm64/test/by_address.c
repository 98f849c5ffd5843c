/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches of table entries by their address, which FEAT_nTLBPA excludes: rule 31. */
#include <machine/instructions.h>
#include <string.h>

#include "sim/arm64/test/world.h"

#define SEEDS 200
#define OPERAND(asid, va) ((u64)(asid) << 48 | ((va) >> 12 & ((1ull << 44) - 1)))

static u64 target, first, second; /* pages in the frames of the table's entry, before and after */
static unsigned old, fresh, faulted;

static void touch(unsigned cpu)
{
	struct model_access a;

	if (cpu)
		return;
	a = tlb_access(target, false, 0);
	*(a.fault ? &faulted : a.value == first ? &old : &fresh) += 1;
}

static void invalidate(enum tlbi_op op, u64 operand)
{
	tlbi_issue(op + TLBI_LOCAL, operand);
	tlbi_wait(DSB_NSH);
}

static void nothing(void)
{
}

static void under_asid_2(void)
{
	world_load(ROOT_A, 2);
}

/* The way that was walked is the one under ASID 1. */
static void flush_asid_1(void)
{
	invalidate(TLBI_ASID, OPERAND(1, 0));
	world_load(ROOT_A, 2);
}

static void flush_asid_2(void)
{
	invalidate(TLBI_ASID, OPERAND(2, 0));
	world_load(ROOT_A, 2);
}

static void flush_asid_3(void)
{
	invalidate(TLBI_ASID, OPERAND(3, 0));
	world_load(ROOT_A, 2);
}

static void flush_page(void)
{
	invalidate(TLBI_VA_LAST, OPERAND(1, PAGE_1));
	world_load(ROOT_A, 2);
}

static void flush_other_page(void)
{
	invalidate(TLBI_VA_ANY, OPERAND(0, PAGE_FAR));
	world_load(ROOT_A, 2);
}

static void flush_a_lot(void)
{
	unsigned i;

	for (i = 0; i < 2 * PAST; i++)
		flush_other_page();
}

/* The leaf is walked to and becomes another; then the page is touched after `between`. */
static const char *explore(u32 has, void (*between)(void))
{
	const char *oracle = NULL;
	u64 seed, *entry;

	old = fresh = faulted = 0;
	target = PAGE_1;
	for (seed = 1; seed <= SEEDS && !oracle; seed++) {
		world_begin();
		model.features |= has;
		entry = world_map(ROOT_A, PAGE_1, 0);
		first = *entry & PTE_ADDR;
		second = *world_map(ROOT_A, PAGE_2, 0) & PTE_ADDR;
		tlb_spontaneous(0, PAGE_1);
		*entry ^= first ^ second;
		between();
		oracle = run_seed(seed, 2, touch);
	}
	return oracle;
}

static unsigned reads_old(u32 has, void (*between)(void))
{
	EXPECT(!explore(has, between));
	EXPECT(fresh && !faulted);
	return old;
}

MODEL_TEST(entries_by_address)
{
	EXPECT(reads_old(HAS_BY_ADDRESS, under_asid_2) > SEEDS / 10); /* another ASID: no translation, no walk cache */
	EXPECT_EQ(reads_old(0, under_asid_2), 0);
	EXPECT(!explore(0, nothing) && old == SEEDS); /* a translation is there */
}

MODEL_TEST(relevant_tlbi_of_entries_by_address)
{
	EXPECT_EQ(reads_old(HAS_BY_ADDRESS, flush_asid_1), 0); /* the way that was walked */
	EXPECT_EQ(reads_old(HAS_BY_ADDRESS, flush_page), 0);
	EXPECT_EQ(reads_old(HAS_BY_ADDRESS, flush_asid_2), 0); /* the way to be walked */
	EXPECT(reads_old(HAS_BY_ADDRESS, flush_asid_3));
	EXPECT(reads_old(HAS_BY_ADDRESS, flush_other_page));
	EXPECT_EQ(reads_old(HAS_BY_ADDRESS, flush_a_lot), 0); /* the model's limit */
}

/* A table entry: what leaves alone walk caches leaves it, what does not drops it. */
static unsigned upper_reads_old(enum tlbi_op op)
{
	u64 seed, *entry;

	old = fresh = faulted = 0;
	target = PAGE_1;
	for (seed = 1; seed <= SEEDS; seed++) {
		world_begin();
		model.features |= HAS_BY_ADDRESS;
		first = *world_map(ROOT_A, PAGE_1, 0) & PTE_ADDR;
		entry = world_entry(ROOT_A, PAGE_1, 39);
		tlb_spontaneous(0, PAGE_1);
		*entry = 0;
		invalidate(op, OPERAND(1, PAGE_1));
		world_load(ROOT_A, 2);
		EXPECT(!run_seed(seed, 2, touch));
	}
	return old;
}

MODEL_TEST(table_entries_by_address)
{
	EXPECT(upper_reads_old(TLBI_VA_LAST));
	EXPECT_EQ(upper_reads_old(TLBI_VA), 0);
}

/* What was below it is no table any more, or another; and the table itself is. */
static const char *freed(int shift, void (*then)(u64 pa))
{
	const char *oracle = NULL;
	u64 seed, *entry, table;

	target = shift == 12 ? PAGE_2 : PAGE_1; /* PAGE_2: its leaf was never read */
	for (seed = 1; seed <= SEEDS && !oracle; seed++) {
		world_begin();
		model.features |= HAS_BY_ADDRESS;
		world_map(ROOT_A, PAGE_1, 0);
		world_map(ROOT_A, PAGE_2, 0);
		entry = world_entry(ROOT_A, PAGE_1, 21);
		table = shift == 12 ? *entry & PTE_ADDR : (u64)((u8 *)entry - ARENA) & ~(PAGE - 1ull);
		tlb_spontaneous(0, PAGE_1);
		if (shift == 12)
			*entry = 0; /* else it is as it was: another life of the same table */
		then(table);
		model.cpu[0].nr_tlb = model.cpu[0].nr_walks = 0;
		oracle = run_seed(seed, 2, touch);
	}
	return oracle ? oracle : "";
}

MODEL_TEST(o_table_by_address)
{
	EXPECT(!strcmp(freed(12, world_reuse), "O-TABLE"));
	EXPECT(!strcmp(freed(12, world_free), "O-TABLE"));
	EXPECT(!strcmp(freed(21, world_reuse), "O-TABLE"));
}
