/* SPDX-License-Identifier: BSD-2-Clause */
/* The Contiguous bit: 16 pages may be one translation, or be one by one. Rule 28. */
#include <machine/instructions.h>
#include <string.h>

#include "sim/arm64/test/world.h"

#define SEEDS 200
#define SOME (PAGE_1 + 3 * PAGE)
#define OTHER (PAGE_1 + 9 * PAGE)
#define OPERAND(ttl, va) (1ull << 48 | (u64)(ttl) << 44 | (va) >> 12)

static u64 *entry[16];
static unsigned together;
static void (*then)(void);

static void nothing(void)
{
}

/* A translation of all goes by any of its addresses; of one page only by its own. */
static void drop(enum tlbi_op op, u64 operand)
{
	bool one = holds(0, 1, OTHER);

	sim_tlbi(op, operand);
	sim_dsb(DSB_NSH);
	EXPECT(holds(0, 1, SOME) == !one);
}

static void drop_other(void)
{
	drop(TLBI_VA, OPERAND(0, OTHER));
}

static void drop_other_leaf(void)
{
	drop(TLBI_VA_LAST, OPERAND(7, OTHER)); /* with its level */
}

static void drop_range(void)
{
	drop(TLBI_RANGE + TLBI_VA, 1ull << 48 | 1ull << 46 | OTHER >> 12);
}

static void touch(unsigned cpu)
{
	if (cpu)
		return;
	EXPECT_EQ(tlb_access(SOME, false, 0).value, *entry[3] & PTE_ADDR);
	together += holds(0, 1, OTHER);
	then();
}

static const char *explore(u64 bits, u64 differs, void (*by)(void))
{
	const char *oracle = NULL;
	u64 seed, i;

	together = 0;
	then = by;
	for (seed = 1; seed <= SEEDS && !oracle; seed++) {
		world_begin();
		for (i = 0; i < 16; i++)
			entry[i] = world_map(ROOT_A, PAGE_1 + i * PAGE, bits);
		*entry[9] ^= differs;
		oracle = run_seed(seed, 2, touch);
	}
	return oracle ? oracle : "";
}

static void touch_other(void)
{
	EXPECT_EQ(tlb_access(OTHER, false, 0).value, *entry[9] & PTE_ADDR);
}

MODEL_TEST(contiguous_pages)
{
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 0, touch_other), ""));
	EXPECT(together > SEEDS / 10 && together < SEEDS);
	EXPECT(!strcmp(explore(0, 0, touch_other), "") && !together);
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, PTE_AF, nothing), "")); /* one access flag is enough */
}

MODEL_TEST(tlbi_of_contiguous_pages)
{
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 0, drop_other), ""));
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 0, drop_other_leaf), ""));
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 0, drop_range), ""));
}

/* The hint is on one that others do not agree with. */
MODEL_TEST(contiguous_pages_that_differ)
{
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, PTE_CONTIGUOUS, nothing), "O-MULTI"));
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, PTE_READ_ONLY, nothing), "O-MULTI"));
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 1 << 20, nothing), "O-MULTI"));
	EXPECT(!strcmp(explore(0, PTE_READ_ONLY, nothing), ""));
}

static void free_other(void)
{
	world_free(*entry[9] & PTE_ADDR);
	tlb_access(OTHER, false, 0); /* of a frame that has been freed only if it was filled before */
}

/* One page is taken away and promised to be gone, with no TLBI. */
static void take_other(void)
{
	struct tlb_entry *e;

	*entry[9] = 0;
	stale_set_change(ROOT_A, OTHER, 12, false);
	tlb_condemn(ROOT_A, OTHER, OTHER + PAGE, false);
	tlb_promise();
	for (e = model.cpu[0].tlb; e < model.cpu[0].tlb + model.cpu[0].nr_tlb; e++)
		EXPECT(!tlb_covers(e, OTHER) || e->illegal_since);
	tlb_access(OTHER, false, 0);
}

MODEL_TEST(oracles_of_contiguous_pages)
{
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 0, free_other), "O-FRAME"));
	EXPECT(!strcmp(explore(0, 0, free_other), ""));
	EXPECT(!strcmp(explore(PTE_CONTIGUOUS, 0, take_other), "O-STALE"));
	EXPECT(!strcmp(explore(0, 0, take_other), ""));
}
