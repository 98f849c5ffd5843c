/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page-table entries of 4-level paging (SDM vol. 3A 4.5). Owns no state: a table is memory that walkers read and set A and D in, so
 * entries are words. Invariant: what is not present is all zero here, so "none" is the only not-present entry there is.
 */
#include "arch/pte.h"

#include "arch/frame.h"

#define P (1ull << 0)
#define RW (1ull << 1)
#define US (1ull << 2)
#define PWT (1ull << 3)
#define PCD (1ull << 4)
#define A (1ull << 5)
#define D (1ull << 6)
#define PS (1ull << 7) /* level 1, 2: a leaf. At level 0 this bit is PAT, and stays clear */
#define G (1ull << 8)
#define XD (1ull << 63)
#define ADDRESS 0x000ffffffffff000ull

struct pte pte_none(void)
{
	return (struct pte){ 0 };
}

static u64 rights(unsigned prot)
{
	u64 bits = P;

	if (prot & PROT_WRITE)
		bits |= RW;
	if (!(prot & PROT_EXEC))
		bits |= XD;
	if (prot & PROT_USER)
		bits |= US;
	if (prot & PROT_GLOBAL)
		bits |= G;
	if (prot & PROT_DEVICE)
		bits |= PCD | PWT; /* PAT entry 3: UC */
	return bits;
}

struct pte pte_leaf(struct pa pa, unsigned prot, unsigned level)
{
	return (struct pte){ pa.raw | rights(prot) | (level ? PS : 0) };
}

/* Rights are the leaf's alone: upper levels allow everything. */
struct pte pte_table(struct pa pa)
{
	return (struct pte){ pa.raw | P | RW | US };
}

bool pte_is_none(struct pte pte)
{
	return pte.raw == 0;
}

bool pte_is_leaf(struct pte pte, unsigned level)
{
	return (pte.raw & P) && (level == 0 || (pte.raw & PS));
}

bool pte_is_table(struct pte pte, unsigned level)
{
	return (pte.raw & P) && level > 0 && !(pte.raw & PS);
}

struct pa pte_pa(struct pte pte, unsigned level)
{
	u64 offset = pte_is_leaf(pte, level) ? (1ull << pt_shift(level)) - 1 : PAGE_SIZE - 1;

	return PA(pte.raw & ADDRESS & ~offset);
}

unsigned pte_prot(struct pte pte)
{
	unsigned prot = PROT_READ;

	if (pte.raw & RW)
		prot |= PROT_WRITE;
	if (!(pte.raw & XD))
		prot |= PROT_EXEC;
	if (pte.raw & US)
		prot |= PROT_USER;
	if (pte.raw & G)
		prot |= PROT_GLOBAL;
	if (pte.raw & PCD)
		prot |= PROT_DEVICE;
	return prot;
}

bool pte_accessed(struct pte pte)
{
	return pte.raw & A;
}

bool pte_dirty(struct pte pte)
{
	return pte.raw & D;
}

struct pte pte_with_prot(struct pte pte, unsigned prot, unsigned level)
{
	struct pte changed = pte_leaf(pte_pa(pte, level), prot, level);

	changed.raw |= pte.raw & (A | D);
	return changed;
}

struct pte_slot *pte_slot(struct pa table, unsigned index)
{
	return (struct pte_slot *)frame_contents(table) + index;
}

struct pte pte_read(const struct pte_slot *slot)
{
	return (struct pte){ load_acquire(&slot->word) };
}

bool pte_install(struct pte_slot *slot, struct pte pte)
{
	return cas_full(&slot->word, 0, pte.raw);
}

struct pte pte_exchange(struct pte_slot *slot, struct pte pte)
{
	return (struct pte){ xchg_full(&slot->word, pte.raw) };
}

bool pte_replace(struct pte_slot *slot, struct pte expected, struct pte pte)
{
	return cas_full(&slot->word, expected.raw, pte.raw);
}

/* The locked operation that follows drains the store buffer, and walks are ordered after what is in memory. */
void pte_publish(bool holders)
{
	(void)holders;
}

bool pte_must_break(struct pte old, struct pte pte, unsigned level)
{
	(void)old, (void)pte, (void)level;
	return false;
}

void pte_settle_fault(struct pte_slot *slot, struct pte seen)
{
	(void)slot, (void)seen;
}

bool pte_test_and_clear_accessed(struct pte_slot *slot)
{
	return and_full(&slot->word, ~A) & A;
}
