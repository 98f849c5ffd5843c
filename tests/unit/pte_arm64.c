/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/arm64/pte.c */
/* Page-table entries of arm64: what is put in comes out, and the bits are where the manual has them (Arm ARM D8.3). */
#include "arch/frame.h"
#include "arch/pte.h"
#include "unit.h"

#define ALL_RIGHTS (PROT_WRITE | PROT_EXEC | PROT_USER | PROT_GLOBAL | PROT_DEVICE)
#define AF (1ull << 10)

static struct pte_slot table[PT_ENTRIES];

/* The one "frame" there is. */
void *frame_contents(struct pa pa)
{
	EXPECT_EQ(pa.raw, 0x1000);
	return table;
}

UNIT_TEST(pte_known_bits)
{
	/* Page, inner shareable, accessed, EL0 may write; not global; executable by nobody. */
	EXPECT_EQ(pte_leaf(PA(0x5000), PROT_READ | PROT_WRITE | PROT_USER, 0).raw, 0x0060000000005f43ull);
	/* Kernel text: read-only, global, not executable at EL0. */
	EXPECT_EQ(pte_leaf(PA(0x5000), PROT_READ | PROT_EXEC | PROT_GLOBAL, 0).raw, 0x0040000000005783ull);
	/* A block of a device. */
	EXPECT_EQ(pte_leaf(PA(0x400000), PROT_READ | PROT_WRITE | PROT_GLOBAL | PROT_DEVICE, 1).raw, 0x0060000000400705ull);
	EXPECT_EQ(pte_table(PA(0x7000)).raw, 0x7003ull);
	EXPECT_EQ(pte_none().raw, 0ull);
}

UNIT_TEST(pte_leaf_round_trip)
{
	for (unsigned level = 0; level <= 2; level++) {
		for (unsigned prot = 0; prot < 64; prot++) {
			u64 pa = 0x0000edcba9876000ull >> pt_shift(level) << pt_shift(level);
			struct pte pte = pte_leaf(PA(pa), prot | PROT_READ, level);

			EXPECT_EQ(pte_prot(pte), prot | PROT_READ);
			EXPECT_EQ(pte_pa(pte, level).raw, pa);
			EXPECT(pte_is_leaf(pte, level) && !pte_is_table(pte, level) && !pte_is_none(pte));
			EXPECT(pte_accessed(pte));
			EXPECT_EQ(pte_dirty(pte), !!(prot & PROT_WRITE));
		}
	}
}

UNIT_TEST(pte_table_round_trip)
{
	for (unsigned level = 1; level < PT_LEVELS; level++) {
		struct pte pte = pte_table(PA(0x0000edcba9876000ull));

		EXPECT_EQ(pte_pa(pte, level).raw, 0x0000edcba9876000ull);
		EXPECT(pte_is_table(pte, level) && !pte_is_leaf(pte, level) && !pte_is_none(pte));
	}
	EXPECT(!pte_is_leaf(pte_none(), 0) && !pte_is_table(pte_none(), 1) && pte_is_none(pte_none()));
}

UNIT_TEST(pte_other_rights_keep_the_rest)
{
	for (unsigned level = 0; level <= 1; level++) {
		for (unsigned young = 0; young < 2; young++) {
			struct pte pte = pte_leaf(PA(0x40000000), PROT_READ | ALL_RIGHTS, level);
			struct pte changed;

			pte.raw &= young ? ~0ull : ~AF;
			changed = pte_with_prot(pte, PROT_READ | PROT_USER, level);
			EXPECT_EQ(pte_prot(changed), PROT_READ | PROT_USER);
			EXPECT_EQ(pte_pa(changed, level).raw, 0x40000000);
			EXPECT_EQ(pte_accessed(changed), young);
			EXPECT(pte_dirty(changed)); /* it was written, for all that is known */
			EXPECT(!pte_dirty(pte_with_prot(pte_leaf(PA(0x40000000), PROT_READ, level), PROT_READ, level)));
			EXPECT(pte_is_leaf(changed, level));
		}
	}
}

UNIT_TEST(pte_slots)
{
	struct pte_slot *slot = pte_slot(PA(0x1000), 511);
	struct pte old = pte_leaf(PA(0x5000), PROT_READ, 0), new = pte_leaf(PA(0x6000), PROT_READ | PROT_WRITE, 0);

	EXPECT(slot == &table[511]);
	store_relaxed(&slot->word, 0);
	EXPECT(pte_install(slot, old));
	EXPECT(!pte_install(slot, new));
	EXPECT_EQ(pte_read(slot).raw, old.raw);
	EXPECT(!pte_replace(slot, new, pte_none()));
	EXPECT(pte_replace(slot, old, new));
	EXPECT(pte_test_and_clear_accessed(slot));
	EXPECT(!pte_test_and_clear_accessed(slot));
	pte_settle_fault(slot, new); /* it is not that any more */
	EXPECT(!pte_accessed(pte_read(slot)));
	pte_settle_fault(slot, pte_read(slot));
	EXPECT(pte_accessed(pte_read(slot)));
	EXPECT_EQ(pte_exchange(slot, pte_none()).raw, new.raw);
	EXPECT(pte_is_none(pte_read(slot)));
}

UNIT_TEST(pte_break_before_make)
{
	struct pte page = pte_leaf(PA(0x200000), PROT_READ | PROT_WRITE | PROT_USER, 0);
	struct pte block = pte_leaf(PA(0x200000), PROT_READ | PROT_WRITE | PROT_USER, 1);

	EXPECT(!pte_must_break(page, pte_with_prot(page, PROT_READ | PROT_USER, 0), 0));
	EXPECT(!pte_must_break(page, (struct pte){ page.raw & ~AF }, 0));
	EXPECT(!pte_must_break(pte_none(), page, 0));
	EXPECT(pte_must_break(page, pte_leaf(PA(0x201000), PROT_READ | PROT_WRITE | PROT_USER, 0), 0));
	EXPECT(pte_must_break(page, pte_leaf(PA(0x200000), PROT_READ | PROT_WRITE | PROT_USER | PROT_GLOBAL, 0), 0));
	EXPECT(pte_must_break(page, pte_leaf(PA(0x200000), PROT_READ | PROT_WRITE | PROT_USER | PROT_DEVICE, 0), 0));
	EXPECT(pte_must_break(block, pte_table(PA(0x200000)), 1));
}
