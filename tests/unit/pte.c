/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/x86/pte.c */
/* Page-table entries of x86: what is put in comes out, and the bits are where the manual has them (SDM vol. 3A 4.5). */
#include "arch/frame.h"
#include "arch/pte.h"
#include "unit.h"

#define ALL_RIGHTS (PROT_WRITE | PROT_EXEC | PROT_USER | PROT_GLOBAL | PROT_DEVICE)
#define A (1ull << 5)
#define D (1ull << 6)

static struct pte_slot table[PT_ENTRIES];

/* The one "frame" there is. */
void *frame_contents(struct pa pa)
{
	EXPECT_EQ(pa.raw, 0x1000);
	return table;
}

UNIT_TEST(pte_known_bits)
{
	EXPECT_EQ(pte_leaf(PA(0x5000), PROT_READ | PROT_WRITE | PROT_USER, 0).raw, 0x8000000000005007ull);
	EXPECT_EQ(pte_leaf(PA(0x5000), PROT_READ | PROT_EXEC | PROT_GLOBAL, 0).raw, 0x5101ull);
	EXPECT_EQ(pte_leaf(PA(0x400000), PROT_READ | PROT_DEVICE, 1).raw, 0x8000000000400099ull);
	EXPECT_EQ(pte_table(PA(0x7000)).raw, 0x7007ull);
	EXPECT_EQ(pte_none().raw, 0ull);
}

UNIT_TEST(pte_leaf_round_trip)
{
	for (unsigned level = 0; level <= 2; level++) {
		for (unsigned prot = 0; prot < 64; prot++) {
			u64 pa = 0x000fedcba9876000ull >> pt_shift(level) << pt_shift(level);
			struct pte pte = pte_leaf(PA(pa), prot | PROT_READ, level);

			EXPECT_EQ(pte_prot(pte), prot | PROT_READ);
			EXPECT_EQ(pte_pa(pte, level).raw, pa);
			EXPECT(pte_is_leaf(pte, level) && !pte_is_table(pte, level) && !pte_is_none(pte));
			EXPECT(!pte_accessed(pte) && !pte_dirty(pte));
		}
	}
}

UNIT_TEST(pte_table_round_trip)
{
	for (unsigned level = 1; level < PT_LEVELS; level++) {
		struct pte pte = pte_table(PA(0x000fedcba9876000ull));

		EXPECT_EQ(pte_pa(pte, level).raw, 0x000fedcba9876000ull);
		EXPECT(pte_is_table(pte, level) && !pte_is_leaf(pte, level) && !pte_is_none(pte));
	}
	EXPECT(!pte_is_leaf(pte_none(), 0) && !pte_is_table(pte_none(), 1) && pte_is_none(pte_none()));
}

UNIT_TEST(pte_other_rights_keep_the_rest)
{
	for (unsigned level = 0; level <= 1; level++) {
		for (unsigned bits = 0; bits < 4; bits++) {
			struct pte pte = pte_leaf(PA(0x40000000), PROT_READ | ALL_RIGHTS, level);
			struct pte changed;

			pte.raw |= (bits & 1 ? A : 0) | (bits & 2 ? D : 0);
			changed = pte_with_prot(pte, PROT_READ | PROT_USER, level);
			EXPECT_EQ(pte_prot(changed), PROT_READ | PROT_USER);
			EXPECT_EQ(pte_pa(changed, level).raw, 0x40000000);
			EXPECT_EQ(pte_accessed(changed), !!(bits & 1));
			EXPECT_EQ(pte_dirty(changed), !!(bits & 2));
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
	or_full(&slot->word, A | D); /* a walker */
	EXPECT(!pte_replace(slot, new, old));
	EXPECT(pte_test_and_clear_accessed(slot));
	EXPECT(!pte_test_and_clear_accessed(slot));
	EXPECT(pte_dirty(pte_read(slot)));
	EXPECT_EQ(pte_exchange(slot, pte_none()).raw, new.raw | D);
	EXPECT(pte_is_none(pte_read(slot)));
}

UNIT_TEST(pte_indices)
{
	struct va va = VA(0xffffc90040203abcull);

	EXPECT_EQ(pt_index(va, 0), 3);
	EXPECT_EQ(pt_index(va, 1), 1);
	EXPECT_EQ(pt_index(va, 2), 1);
	EXPECT_EQ(pt_index(va, 3), 402);
	EXPECT_EQ(pt_index(VA(0x00007fffffffffffull), 3), 255);
}
