/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each instruction lets live and what it kills: one population of translations and walk caches, one row for each instruction
 * with exactly what is left. Rules 5 to 9, 13 to 17.
 */
#include <string.h>

#include "sim/x86/test/world.h"

enum {
	NEAR = 1 << 0, /* PAGE_1 under PCID 1, which is loaded on CPU 0 */
	NEXT = 1 << 1, /* PAGE_2, in the same table */
	FAR = 1 << 2, /* PAGE_FAR */
	BIG = 1 << 3, /* LARGE + 0x5000, a piece of a 2M page or all of it */
	GLOBAL = 1 << 4, /* KERNEL */
	OTHER = 1 << 5, /* PAGE_1 under PCID 2 */
	REMOTE = 1 << 6, /* PAGE_1 under PCID 1 on CPU 1 */
	W_NEAR = 1 << 7, /* the table of PAGE_1 in the walk caches */
	W_UPPER = 1 << 8, /* ... and the one above it */
	W_FAR = 1 << 9,
	W_OTHER = 1 << 10,
	W_REMOTE = 1 << 11,
	W_GLOBAL = 1 << 12, /* of KERNEL, under PCID 1 */
	ALL = (1 << 13) - 1,
	WALKS_1 = W_NEAR | W_UPPER | W_FAR | W_GLOBAL, /* of PCID 1 on CPU 0 */
	PCID_1 = NEAR | NEXT | FAR | BIG | WALKS_1,
	PCID_2 = OTHER | W_OTHER,
	AT_1 = REMOTE | W_REMOTE,
};

static void populate(void)
{
	world_map(ROOT_A, PAGE_1, 0);
	world_map(ROOT_A, PAGE_2, 0);
	world_map(ROOT_A, PAGE_FAR, 0);
	world_map_large(ROOT_A, LARGE, 0);
	world_map(ROOT_A, KERNEL, PTE_G);
	world_map(ROOT_B, PAGE_1, 0);
	sched_be(1);
	tlb_spontaneous(1, PAGE_1);
	sched_be(0);
	EXPECT(!tlb_write_cr3(ROOT_B | 2));
	tlb_spontaneous(0, PAGE_1);
	EXPECT(!tlb_write_cr3(ROOT_A | 1 | MODEL_NOFLUSH));
	tlb_spontaneous(0, PAGE_1);
	tlb_spontaneous(0, PAGE_2);
	tlb_spontaneous(0, PAGE_FAR);
	tlb_spontaneous(0, LARGE + 0x5000);
	tlb_spontaneous(0, KERNEL);
}

static unsigned left(void)
{
	unsigned n = 0;

	n |= holds(0, 1, PAGE_1) ? NEAR : 0;
	n |= holds(0, 1, PAGE_2) ? NEXT : 0;
	n |= holds(0, 1, PAGE_FAR) ? FAR : 0;
	n |= holds(0, 1, LARGE + 0x5000) ? BIG : 0;
	n |= holds(0, 1, KERNEL) ? GLOBAL : 0;
	n |= holds(0, 2, PAGE_1) ? OTHER : 0;
	n |= holds(1, 1, PAGE_1) ? REMOTE : 0;
	n |= holds_walk(0, 1, PAGE_1, 12) ? W_NEAR : 0;
	n |= holds_walk(0, 1, PAGE_1, 21) ? W_UPPER : 0;
	n |= holds_walk(0, 1, PAGE_FAR, 12) ? W_FAR : 0;
	n |= holds_walk(0, 2, PAGE_1, 12) ? W_OTHER : 0;
	n |= holds_walk(1, 1, PAGE_1, 12) ? W_REMOTE : 0;
	n |= holds_walk(0, 1, KERNEL, 12) ? W_GLOBAL : 0;
	return n;
}

enum op { INVLPG, INVPCID, CR3, CR4, INVLPGB };

static const struct row {
	const char *name;
	enum op op;
	u64 a, b, c; /* operands in the order of the instruction */
	unsigned dies;
	bool tce;
	enum fault fault;
} rows[] = {
	/* Rule 6 */
	{ "invlpg: its page, walk caches of the PCID", INVLPG, PAGE_1 + 0x123, .dies = NEAR | WALKS_1 },
	{ "invlpg with TCE: walk caches on the path", INVLPG, PAGE_1, .dies = NEAR | W_NEAR | W_UPPER, .tce = true },
	{ "invlpg: a global page", INVLPG, KERNEL, .dies = GLOBAL | WALKS_1 },
	{ "invlpg: anywhere in a large page", INVLPG, LARGE + 0x1ff000, .dies = BIG | WALKS_1 },
	{ "invlpg: the page after a large one", INVLPG, LARGE + 0x200000, .dies = WALKS_1 },
	{ "invlpg: not canonical, nothing", INVLPG, 0x800000000000ull | PAGE_1 },
	/* Rule 7 */
	{ "invpcid 0: its page, walk caches on the path", INVPCID, 0, 1, PAGE_1, .dies = NEAR | W_NEAR | W_UPPER },
	{ "invpcid 0: of another PCID", INVPCID, 0, 2, PAGE_1, .dies = PCID_2 },
	{ "invpcid 0: never a global page", INVPCID, 0, 1, KERNEL, .dies = W_GLOBAL },
	{ "invpcid 0: all pieces of a large page", INVPCID, 0, 1, LARGE, .dies = BIG },
	{ "invpcid 1: the PCID, no global page", INVPCID, 1, 1, .dies = PCID_1 },
	{ "invpcid 1: of another PCID", INVPCID, 1, 2, .dies = PCID_2 },
	{ "invpcid 2: everything here", INVPCID, 2, .dies = ALL & ~AT_1 },
	{ "invpcid 3: everything here but global", INVPCID, 3, .dies = ALL & ~AT_1 & ~GLOBAL },
	{ "invpcid 4", INVPCID, 4, .fault = RAISES_GP },
	{ "invpcid 0: not canonical", INVPCID, 0, 1, 0x800000000000ull, .fault = RAISES_GP },
	{ "invpcid 1: reserved bits", INVPCID, 1, 0x1001, .fault = RAISES_GP },
	/* Rule 8 */
	{ "cr3: the PCID, no global page", CR3, ROOT_A | 1, .dies = PCID_1 },
	{ "cr3: the new PCID's only", CR3, ROOT_B | 2, .dies = PCID_2 },
	{ "cr3 with bit 63: nothing", CR3, ROOT_B | 2 | MODEL_NOFLUSH },
	{ "cr3: reserved bits", CR3, ROOT_A | 1ull << 60, .fault = RAISES_GP },
	/* Rules 5, 9 */
	{ "cr4: PGE off, everything here", CR4, MODEL_CR4 & ~MODEL_PGE, .dies = ALL & ~AT_1 },
	{ "cr4: PCIDE off, everything here", CR4, MODEL_CR4 & ~MODEL_PCIDE, .dies = ALL & ~AT_1 },
	{ "cr4: SMEP on, the PCID", CR4, MODEL_CR4 | MODEL_SMEP, .dies = PCID_1 },
	{ "cr4: the same, nothing", CR4, MODEL_CR4 },
	/* Rules 13, 14; after TLBSYNC */
	{ "invlpgb: a page, all PCIDs, all CPUs", INVLPGB, PAGE_1 | 1,
	  .dies = NEAR | OTHER | REMOTE | WALKS_1 | W_OTHER | W_REMOTE },
	{ "invlpgb: a page of a PCID", INVLPGB, PAGE_1 | 3, 0, 1 << 16, .dies = NEAR | REMOTE | WALKS_1 | W_REMOTE },
	{ "invlpgb: ... final only", INVLPGB, PAGE_1 | 0x13, 0, 1 << 16, .dies = NEAR | REMOTE },
	{ "invlpgb: ... with TCE", INVLPGB, PAGE_1 | 3, 0, 1 << 16, .dies = NEAR | REMOTE | W_NEAR | W_UPPER | W_REMOTE,
	  .tce = true },
	{ "invlpgb: two pages", INVLPGB, PAGE_1 | 0x13, 1, 1 << 16, .dies = NEAR | NEXT | REMOTE },
	{ "invlpgb: 2M stride leaves 4K pages in between", INVLPGB, PAGE_1 | 0x13, 1u << 31 | 1, 1 << 16, .dies = NEAR | REMOTE },
	{ "invlpgb: a large page", INVLPGB, LARGE | 0x13, 0, 1 << 16, .dies = BIG },
	{ "invlpgb: no global page unless asked", INVLPGB, KERNEL | 0x11 },
	{ "invlpgb: a global page", INVLPGB, KERNEL | 0x19, .dies = GLOBAL },
	{ "invlpgb: a PCID", INVLPGB, 2, 0, 2 << 16, .dies = PCID_2 },
	{ "invlpgb: everything but global", INVLPGB, 0, .dies = ALL & ~GLOBAL },
	{ "invlpgb: everything", INVLPGB, 8, .dies = ALL },
	{ "invlpgb: a guest's", INVLPGB, 4, 0, 5 },
	{ "invlpgb: too many pages", INVLPGB, PAGE_1 | 1, 8, .fault = RAISES_GP },
	{ "invlpgb: reserved bits of rAX", INVLPGB, 0x40, .fault = RAISES_GP },
	{ "invlpgb: reserved bits of ECX", INVLPGB, 1, 0x10000, .fault = RAISES_GP },
	{ "invlpgb: reserved bits of EDX", INVLPGB, 2, 0, 0x10010000, .fault = RAISES_GP },
};

static enum fault execute(const struct row *r)
{
	enum fault fault = NO_FAULT;

	switch (r->op) {
	case INVLPG:
		return tlb_invlpg(r->a);
	case INVPCID:
		return tlb_invpcid((unsigned)r->a, r->b, r->c);
	case CR3:
		return tlb_write_cr3(r->a);
	case CR4:
		return tlb_write_cr4(r->a);
	case INVLPGB:
		fault = tlb_invlpgb(r->a, (u32)r->b, (u32)r->c);
		EXPECT_EQ(left(), ALL); /* asynchronous: nothing has happened yet */
		EXPECT(!tlb_tlbsync());
	}
	return fault;
}

MODEL_TEST(instructions_kill_and_spare)
{
	const struct row *r;

	for (r = rows; r < rows + sizeof(rows) / sizeof(rows[0]); r++) {
		enum fault fault;

		world_begin();
		populate();
		EXPECT_EQ(left(), ALL);
		if (r->tce)
			EXPECT(!tlb_write_efer(MODEL_TCE));
		fault = execute(r);
		if (fault != r->fault || left() != (ALL & ~r->dies))
			test_failed(__FILE__, __LINE__, "%s: fault %d, left 0x%x, not 0x%x", r->name, fault, left(),
				    ALL & ~r->dies);
	}
}

/* Without PCIDE all is under PCID 0, and a load of CR3 drops it whatever its lower bits. */
MODEL_TEST(without_pcids)
{
	EXPECT(!tlb_write_cr4(MODEL_PGE));
	world_map(ROOT_A, PAGE_1, 0);
	world_map(ROOT_A, KERNEL, PTE_G);
	EXPECT(!tlb_write_cr3(ROOT_A | 0x18));
	tlb_spontaneous(0, PAGE_1);
	tlb_spontaneous(0, KERNEL);
	EXPECT(holds(0, 0, PAGE_1) && holds_walk(0, 0, PAGE_1, 12));
	EXPECT_EQ(tlb_write_cr3(ROOT_A | MODEL_NOFLUSH), RAISES_GP);
	EXPECT_EQ(tlb_invpcid(0, 1, PAGE_1), RAISES_GP);
	EXPECT_EQ(tlb_invpcid(1, 1, 0), RAISES_GP);
	EXPECT_EQ(tlb_invlpgb(2, 0, 1 << 16), RAISES_GP);
	EXPECT(holds(0, 0, PAGE_1));
	EXPECT(!tlb_write_cr3(ROOT_A));
	EXPECT(!holds(0, 0, PAGE_1) && !holds_walk(0, 0, PAGE_1, 12) && holds(0, 0, KERNEL));
}

/* Rule 5. */
MODEL_TEST(pcide_needs_pcid_0)
{
	EXPECT(!tlb_write_cr4(MODEL_PGE));
	EXPECT(!tlb_write_cr3(ROOT_A | 1));
	EXPECT_EQ(tlb_write_cr4(MODEL_CR4), RAISES_GP);
	EXPECT(!tlb_write_cr3(ROOT_A));
	EXPECT(!tlb_write_cr4(MODEL_CR4));
	/* Setting it drops nothing: what was under PCID 0 is still. */
	world_map(ROOT_A, PAGE_1, 0);
	EXPECT(!tlb_write_cr4(MODEL_PGE));
	tlb_spontaneous(0, PAGE_1);
	EXPECT(!tlb_write_cr4(MODEL_CR4));
	EXPECT(holds(0, 0, PAGE_1));
}

MODEL_TEST(missing_features_fault)
{
	model.features = 0;
	EXPECT_EQ(tlb_invpcid(2, 0, 0), RAISES_UD);
	EXPECT_EQ(tlb_invlpgb(0, 0, 0), RAISES_UD);
	EXPECT_EQ(tlb_tlbsync(), RAISES_UD);
	EXPECT_EQ(tlb_write_efer(MODEL_TCE), RAISES_GP);
	EXPECT(!tlb_write_cr4(MODEL_PGE) && !tlb_write_cr3(ROOT_A));
	EXPECT_EQ(tlb_write_cr4(MODEL_CR4), RAISES_GP);
}

/* Knobs: what is broken is, and nothing else. */
MODEL_TEST(invlpg_leaves_globals)
{
	model.knobs = KNOB_INVLPG_LEAVES_GLOBALS;
	populate();
	EXPECT(!tlb_invlpg(PAGE_1));
	EXPECT_EQ(left(), ALL & ~(NEAR | WALKS_1));
	EXPECT(!tlb_invlpg(KERNEL));
	EXPECT(holds(0, 1, KERNEL));
	EXPECT(!tlb_invlpgb(KERNEL | 0x19, 0, 0) && !tlb_tlbsync());
	EXPECT(!holds(0, 1, KERNEL));
	EXPECT(!tlb_write_cr3(ROOT_A) && !tlb_write_cr4(MODEL_PGE));
	tlb_spontaneous(0, KERNEL);
	EXPECT(holds(0, 0, KERNEL));
	EXPECT(!tlb_invlpg(KERNEL));
	EXPECT(!holds(0, 0, KERNEL));
}

MODEL_TEST(invlpgb_deaf)
{
	model.knobs = KNOB_INVLPGB_DEAF;
	populate();
	EXPECT(!tlb_invlpgb(PAGE_1 | 0x13, 0, 1 << 16) && !tlb_tlbsync());
	EXPECT(!model.nr_outstanding);
	EXPECT_EQ(left(), ALL & ~NEAR);
	sched_be(1);
	EXPECT(!tlb_invlpgb(PAGE_1 | 0x13, 0, 1 << 16) && !tlb_tlbsync()); /* nor its own */
	EXPECT_EQ(left(), ALL & ~NEAR);
	EXPECT(!tlb_invlpg(PAGE_1));
	EXPECT(!holds(1, 1, PAGE_1));
}

MODEL_TEST(pge_keeps)
{
	model.knobs = KNOB_PGE_KEEPS;
	populate();
	EXPECT(!tlb_write_cr4(MODEL_CR4 & ~MODEL_PGE) && !tlb_write_cr4(MODEL_CR4));
	EXPECT_EQ(left(), ALL);
	EXPECT(!tlb_invpcid(2, 0, 0));
	EXPECT(!holds(0, 1, KERNEL));
}

MODEL_TEST(flush_filter)
{
	model.knobs = KNOB_FLUSH_FILTER;
	world_map(ROOT_A, PAGE_1, 0);
	EXPECT(!tlb_write_cr3(ROOT_A | 1));
	tlb_spontaneous(0, PAGE_1);
	EXPECT(!tlb_write_cr3(ROOT_A | 1));
	EXPECT(holds(0, 1, PAGE_1));
	model.cpu[0].isa.wrote_table = true;
	EXPECT(!tlb_write_cr3(ROOT_A | 1));
	EXPECT(!holds(0, 1, PAGE_1));
}

/* What is not waited for happens all the same, some time. */
MODEL_TEST(tlbsync_early)
{
	model.knobs = KNOB_TLBSYNC_EARLY;
	populate();
	EXPECT(!tlb_invlpgb(PAGE_1 | 0x13, 0, 1 << 16) && !tlb_tlbsync());
	EXPECT_EQ(left(), ALL);
	EXPECT_EQ(model.nr_outstanding, 2);
	tlb_complete(1);
	tlb_complete(0);
	EXPECT_EQ(left(), ALL & ~(NEAR | REMOTE));
}

MODEL_TEST(knobs_by_name)
{
	EXPECT_EQ(knob_find("invlpg-leaves-globals"), KNOB_INVLPG_LEAVES_GLOBALS);
	EXPECT_EQ(knob_find("invlpgb-deaf"), KNOB_INVLPGB_DEAF);
	EXPECT_EQ(knob_find("tlbsync-early"), KNOB_TLBSYNC_EARLY);
	EXPECT_EQ(knob_find("tlbsync"), 0);
	EXPECT(!strcmp(knob_names(KNOB_INVLPG_LEAVES_GLOBALS | KNOB_TLBSYNC_EARLY, "+"), "+invlpg-leaves-globals+tlbsync-early"));
}

/* Rule 15: TLBSYNC waits for what its own CPU issued, at any time between each target may have done it. */
MODEL_TEST(tlbsync_is_for_the_issuer)
{
	populate();
	EXPECT(!tlb_invlpgb(PAGE_1 | 0x13, 0, 1 << 16));
	sched_be(1);
	EXPECT(!tlb_invlpgb(PAGE_2 | 0x13, 0, 1 << 16));
	EXPECT(!tlb_tlbsync());
	EXPECT(holds(0, 1, PAGE_1) && holds(1, 1, PAGE_1) && !holds(0, 1, PAGE_2));
	EXPECT_EQ(model.nr_outstanding, 2);
	tlb_complete(model.outstanding[0].target == 1 ? 0 : 1);
	EXPECT(holds(0, 1, PAGE_1) && !holds(1, 1, PAGE_1));
	sched_be(0);
	EXPECT(!tlb_tlbsync());
	EXPECT(!holds(0, 1, PAGE_1) && !model.nr_outstanding);
}
