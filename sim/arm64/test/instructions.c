/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each TLBI lets live and what it kills: one population of translations and walk caches, one row for each form with exactly
 * what dies, at the DSB that waits for it and not before. Rules 20 to 25.
 */
#include "sim/arm64/test/world.h"

enum {
	NEAR = 1 << 0, /* PAGE_1 under ASID 1, which is loaded */
	NEXT = 1 << 1, /* PAGE_2, in the same table */
	FAR = 1 << 2, /* PAGE_FAR */
	BIG = 1 << 3, /* LARGE + 0x5000, a piece of a 2M page or all of it */
	GLOBAL = 1 << 4, /* KERNEL */
	OTHER = 1 << 5, /* PAGE_1 under ASID 2 */
	W_NEAR = 1 << 6, /* the table of PAGE_1 in the walk caches */
	W_UPPER = 1 << 7, /* ... and the one above it */
	W_FAR = 1 << 8,
	W_OTHER = 1 << 9,
	W_GLOBAL = 1 << 10, /* of KERNEL, under ASID 1 */
	ALL = (1 << 11) - 1,
	WALKS_1 = W_NEAR | W_UPPER | W_FAR | W_GLOBAL,
	ASID_1 = NEAR | NEXT | FAR | BIG | WALKS_1,
};

static void populate_cpu(unsigned cpu)
{
	sched_be(cpu);
	world_load(ROOT_B, 2);
	tlb_spontaneous(cpu, PAGE_1);
	world_load(ROOT_A, 1);
	tlb_spontaneous(cpu, PAGE_1);
	tlb_spontaneous(cpu, PAGE_2);
	tlb_spontaneous(cpu, PAGE_FAR);
	tlb_spontaneous(cpu, LARGE + 0x5000);
	tlb_spontaneous(cpu, KERNEL);
}

static void populate(void)
{
	world_begin();
	world_map(ROOT_A, PAGE_1, 0);
	world_map(ROOT_A, PAGE_2, 0);
	world_map(ROOT_A, PAGE_FAR, 0);
	world_map_large(ROOT_A, LARGE, 0);
	world_map_global(ROOT_A, KERNEL);
	world_map(ROOT_B, PAGE_1, 0);
	populate_cpu(1);
	populate_cpu(0);
}

static unsigned left(unsigned cpu)
{
	unsigned n = 0;

	n |= holds(cpu, 1, PAGE_1) ? NEAR : 0;
	n |= holds(cpu, 1, PAGE_2) ? NEXT : 0;
	n |= holds(cpu, 1, PAGE_FAR) ? FAR : 0;
	n |= holds(cpu, 1, LARGE + 0x5000) ? BIG : 0;
	n |= holds(cpu, 1, KERNEL) ? GLOBAL : 0;
	n |= holds(cpu, 2, PAGE_1) ? OTHER : 0;
	n |= holds_walk(cpu, 1, PAGE_1, 12) ? W_NEAR : 0;
	n |= holds_walk(cpu, 1, PAGE_1, 21) ? W_UPPER : 0;
	n |= holds_walk(cpu, 1, PAGE_FAR, 12) ? W_FAR : 0;
	n |= holds_walk(cpu, 2, PAGE_1, 12) ? W_OTHER : 0;
	n |= holds_walk(cpu, 1, KERNEL, 12) ? W_GLOBAL : 0;
	return n;
}

#define OPERAND(asid, ttl, va) ((u64)(asid) << 48 | (u64)(ttl) << 44 | ((u64)(va) >> 12 & ((1ull << 44) - 1)))
#define RANGE(asid, tg, scale, num, ttl, va)                                                                               \
	((u64)(asid) << 48 | (u64)(tg) << 46 | (u64)(scale) << 44 | (u64)(num) << 39 | (u64)(ttl) << 37 |                  \
	 ((u64)(va) >> 12 & ((1ull << 37) - 1)))

static const struct row {
	const char *name;
	enum tlbi_op op;
	u64 operand;
	unsigned dies;
} rows[] = {
	{ "vae1: its page, walk caches on the path", TLBI_VA, OPERAND(1, 0, PAGE_1), NEAR | W_NEAR | W_UPPER },
	{ "vae1: of another ASID", TLBI_VA, OPERAND(2, 0, PAGE_1), OTHER | W_OTHER },
	{ "vae1: a global page under any ASID, walk caches of that", TLBI_VA, OPERAND(2, 0, KERNEL), GLOBAL },
	{ "vae1: a global page", TLBI_VA, OPERAND(1, 0, KERNEL), GLOBAL | W_GLOBAL },
	{ "vae1: all pieces of a large page", TLBI_VA, OPERAND(1, 0, LARGE), BIG },
	{ "vae1: nothing is there", TLBI_VA, OPERAND(3, 0, PAGE_1), 0 },
	{ "vale1: its page", TLBI_VA_LAST, OPERAND(1, 0, PAGE_1), NEAR },
	{ "vaae1: any ASID", TLBI_VA_ANY, OPERAND(0, 0, PAGE_1), NEAR | OTHER | W_NEAR | W_UPPER | W_OTHER },
	{ "vaale1: any ASID", TLBI_VA_ANY_LAST, OPERAND(0, 0, PAGE_1), NEAR | OTHER },
	{ "aside1: no global page", TLBI_ASID, OPERAND(1, 0, 0), ASID_1 },
	{ "vmalle1: everything", TLBI_ALL, 0, ALL },
	{ "vae1 with the right level", TLBI_VA, OPERAND(1, 7, PAGE_1), NEAR },
	{ "vae1 with a wrong level", TLBI_VA, OPERAND(1, 6, PAGE_1), 0 },
	{ "vae1 with the right level of a large page", TLBI_VA, OPERAND(1, 6, LARGE), BIG },
	{ "vae1 with a wrong level of a large page", TLBI_VA, OPERAND(1, 7, LARGE), 0 },
	{ "vae1 with level 0", TLBI_VA, OPERAND(1, 4, PAGE_1), 0 },
	{ "vae1 with another granule", TLBI_VA, OPERAND(1, 15, PAGE_1), 0 },
	{ "vae1 without a granule: no hint", TLBI_VA, OPERAND(1, 2, PAGE_1), NEAR | W_NEAR | W_UPPER },
	{ "rvae1: two pages", TLBI_RANGE + TLBI_VA, RANGE(1, 1, 0, 0, 0, PAGE_1), NEAR | NEXT | W_NEAR | W_UPPER },
	{ "rvae1: the two before", TLBI_RANGE + TLBI_VA, RANGE(1, 1, 0, 0, 0, PAGE_1 - 2 * PAGE), W_UPPER },
	{ "rvale1: 64 pages up to it", TLBI_RANGE + TLBI_VA_LAST, RANGE(1, 1, 1, 0, 0, PAGE_1 - 63 * PAGE), NEAR },
	{ "rvale1: 2^21 pages from 0", TLBI_RANGE + TLBI_VA_LAST, RANGE(1, 1, 3, 31, 0, 0), NEAR | NEXT | BIG },
	{ "rvale1 of another granule", TLBI_RANGE + TLBI_VA_LAST, RANGE(1, 2, 0, 0, 0, PAGE_1), 0 },
	{ "rvale1 with a wrong level", TLBI_RANGE + TLBI_VA_LAST, RANGE(1, 1, 0, 0, 2, PAGE_1), 0 },
	{ "rvaae1: global pages of the upper half", TLBI_RANGE + TLBI_VA_ANY, RANGE(0, 1, 0, 1, 0, KERNEL), GLOBAL | W_GLOBAL },
};

static void expect(const struct row *r, unsigned cpu, unsigned dies)
{
	unsigned now = left(cpu);

	if (now != (ALL & ~dies))
		test_failed(__FILE__, __LINE__, "%s: CPU %u keeps 0x%x, not 0x%x", r->name, cpu, now, ALL & ~dies);
}

MODEL_TEST(tlbi_kills_that_and_no_more)
{
	const struct row *r;

	for (r = rows; r < rows + sizeof(rows) / sizeof(*rows); r++) {
		populate();
		EXPECT_EQ(left(0), ALL);
		EXPECT_EQ(left(1), ALL);
		tlbi_issue(r->op + TLBI_LOCAL, r->operand);
		expect(r, 0, 0);
		tlbi_wait(DSB_NSH);
		expect(r, 0, r->dies);
		expect(r, 1, 0);
		populate();
		tlbi_issue(r->op + TLBI_INNER, r->operand);
		tlbi_wait(DSB_ISH);
		expect(r, 0, r->dies);
		expect(r, 1, r->dies);
	}
}

static unsigned in_pieces;

static void drop_large(unsigned cpu)
{
	if (cpu)
		return;
	tlb_access(LARGE + 0x5000, false, 0);
	in_pieces += model.cpu[0].tlb[0].shift == 12;
	sim_tlbi(TLBI_VA + TLBI_LOCAL, OPERAND(1, 0, LARGE));
	sim_dsb(DSB_NSH);
	EXPECT(!holds(0, 1, LARGE + 0x5000));
}

/* A large page may be cached whole or in pieces; by an address of it all of them go. */
MODEL_TEST(pieces_of_a_large_page)
{
	u64 seed;

	in_pieces = 0;
	for (seed = 1; seed <= 100; seed++) {
		world_begin();
		world_map_large(ROOT_A, LARGE, 0);
		EXPECT(!run_seed(seed, 2, drop_large));
	}
	EXPECT(in_pieces && in_pieces < 100);
}

static unsigned dead(unsigned scope, enum dsb dsb)
{
	populate();
	tlbi_issue(TLBI_ALL + scope, 0);
	sim_dsb(dsb);
	return !left(0) + !left(1);
}

/* Rule 24. A store-only barrier waits for none; a narrow one not for what goes further. */
MODEL_TEST(dsb_of_the_domain)
{
	EXPECT_EQ(dead(TLBI_LOCAL, DSB_NSH), 1);
	EXPECT_EQ(dead(TLBI_LOCAL, DSB_ISH), 1);
	EXPECT_EQ(dead(TLBI_LOCAL, DSB_ISH | DSB_STORES), 0);
	EXPECT_EQ(dead(TLBI_INNER, DSB_NSH), 0);
	EXPECT_EQ(dead(TLBI_INNER, DSB_ISH | DSB_STORES), 0);
	EXPECT_EQ(dead(TLBI_INNER, DSB_ISH), 2);
	EXPECT_EQ(dead(TLBI_OUTER, DSB_ISH), 0);
	EXPECT_EQ(dead(TLBI_OUTER, DSB_OSH), 2);
}

/* ... of the CPU that issued it. */
MODEL_TEST(dsb_of_another_cpu)
{
	populate();
	tlbi_issue(TLBI_ALL + TLBI_INNER, 0);
	sched_be(1);
	sim_dsb(DSB_ISH);
	EXPECT_EQ(left(0), ALL);
	EXPECT_EQ(left(1), ALL);
	EXPECT_EQ(model.nr_outstanding, 2);
}

MODEL_TEST(asids_of_8_bits)
{
	populate();
	model.features &= ~HAS_ASID16;
	tlbi_issue(TLBI_ASID, OPERAND(0x101, 0, 0));
	tlbi_wait(DSB_NSH);
	EXPECT_EQ(left(0), ALL & ~ASID_1);
}

MODEL_TEST(knob_cluster)
{
	model.knobs = KNOB_CLUSTER;
	EXPECT_EQ(dead(TLBI_INNER, DSB_ISH), 2); /* world_begin() has cleared it */
	populate();
	model.knobs = KNOB_CLUSTER;
	tlbi_issue(TLBI_ALL + TLBI_INNER, 0);
	sim_dsb(DSB_ISH);
	EXPECT(!left(0) && left(1) == ALL);
}

MODEL_TEST(knob_dsb_early)
{
	populate();
	model.knobs = KNOB_DSB_EARLY;
	tlbi_issue(TLBI_ALL + TLBI_INNER, 0);
	sim_dsb(DSB_ISH);
	sim_dsb(DSB_ISH);
	EXPECT(!left(0) && left(1) == ALL);
	tlbi_issue(TLBI_VA + TLBI_INNER, OPERAND(9, 0, 0));
	sim_dsb(DSB_ISH);
	EXPECT(!left(1));
}
