/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page-table entries of the 4 KiB granule, stage 1 (Arm ARM D8.3). Owns no state: a table is memory that walkers read, and set the
 * access flag in where the CPU has that (TCR.HA), so entries are words. Invariant: what is not valid is all zero here.
 *
 * The access flag is set when an entry is made, and cleared only by pte_test_and_clear_accessed(): then hardware sets it again,
 * or a fault does (pte_settle_fault()). An entry without it is never cached. The dirty state is not managed by hardware (TCR.HD
 * is clear): what may be written counts as dirty, and stays dirty when that right is taken away, by a bit that is software's.
 */
#include "arch/pte.h"

#include "arch/arm64/insn.h"
#include "arch/frame.h"

#define VALID (1ull << 0)
#define NOT_BLOCK (1ull << 1) /* level 0: a page; above: a table */
#define DEVICE (1ull << 2) /* index 1 of MAIR; index 0 is normal memory */
#define USER (1ull << 6) /* AP[1] */
#define READ_ONLY (1ull << 7) /* AP[2] */
#define INNER (3ull << 8) /* inner shareable */
#define AF (1ull << 10)
#define NG (1ull << 11) /* not global: under the ASID only */
#define PXN (1ull << 53)
#define UXN (1ull << 54)
#define DIRTY (1ull << 55) /* hardware ignores it: the page could be written before */
#define ADDRESS 0x0000fffffffff000ull

struct pte pte_none(void)
{
	return (struct pte){ 0 };
}

static u64 rights(unsigned prot)
{
	bool user = prot & PROT_USER;
	u64 bits = VALID | AF | INNER;

	if (!(prot & PROT_WRITE))
		bits |= READ_ONLY;
	if (user)
		bits |= USER;
	if (!user || !(prot & PROT_EXEC))
		bits |= UXN;
	if (user || !(prot & PROT_EXEC))
		bits |= PXN;
	if (!(prot & PROT_GLOBAL))
		bits |= NG;
	if (prot & PROT_DEVICE)
		bits |= DEVICE;
	return bits;
}

struct pte pte_leaf(struct pa pa, unsigned prot, unsigned level)
{
	return (struct pte){ pa.raw | rights(prot) | (level ? 0 : NOT_BLOCK) };
}

/* Rights are the leaf's alone: upper levels allow everything. */
struct pte pte_table(struct pa pa)
{
	return (struct pte){ pa.raw | VALID | NOT_BLOCK };
}

bool pte_is_none(struct pte pte)
{
	return pte.raw == 0;
}

bool pte_is_leaf(struct pte pte, unsigned level)
{
	return (pte.raw & VALID) && !(pte.raw & NOT_BLOCK) == (level > 0);
}

bool pte_is_table(struct pte pte, unsigned level)
{
	return level > 0 && (pte.raw & VALID) && (pte.raw & NOT_BLOCK);
}

struct pa pte_pa(struct pte pte, unsigned level)
{
	u64 offset = pte_is_leaf(pte, level) ? (1ull << pt_shift(level)) - 1 : PAGE_SIZE - 1;

	return PA(pte.raw & ADDRESS & ~offset);
}

unsigned pte_prot(struct pte pte)
{
	unsigned prot = PROT_READ;

	if (!(pte.raw & READ_ONLY))
		prot |= PROT_WRITE;
	if (!(pte.raw & (pte.raw & USER ? UXN : PXN)))
		prot |= PROT_EXEC;
	if (pte.raw & USER)
		prot |= PROT_USER;
	if (!(pte.raw & NG))
		prot |= PROT_GLOBAL;
	if (pte.raw & DEVICE)
		prot |= PROT_DEVICE;
	return prot;
}

bool pte_accessed(struct pte pte)
{
	return pte.raw & AF;
}

bool pte_dirty(struct pte pte)
{
	return (pte.raw & VALID) && (!(pte.raw & READ_ONLY) || (pte.raw & DIRTY));
}

struct pte pte_with_prot(struct pte pte, unsigned prot, unsigned level)
{
	struct pte changed = pte_leaf(pte_pa(pte, level), prot, level);

	changed.raw = (changed.raw & ~AF) | (pte.raw & AF) | (pte_dirty(pte) ? DIRTY : 0);
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

/*
 * DSB ISHST: walks of every CPU see the entry before whoever is told of it makes an access. ISB: this CPU does not use a walk
 * that it made before. Another CPU may still fault once (without FEAT_ETS2, Arm ARM D8.2.6): the fault is found spurious.
 */
bool pte_install(struct pte_slot *slot, struct pte pte)
{
	bool done = cas_full(&slot->word, 0, pte.raw);

	dsb_ishst();
	isb();
	return done;
}

/*
 * DSB: not DMB, which is all that an operation of full order has. Not allowed: a CPU loads the root and walks the old entry, and
 * this one, which changed it, finds neither its bit nor the ASID that it took (tlbi-local has the same shape: Linux RFC of
 * 2025-08). ISHST is what Linux has before it reads the ASID (5e10f9887ed8); ISH, which the tlbi-local series asks for before it
 * reads who is active, also waits for the TLBIs that this CPU has issued: a batch of them would gain nothing by it.
 */
void pte_publish(bool holders)
{
	if (holders)
		dsb_ish();
	else
		dsb_ishst();
}

/* No DSB here: pte_publish() comes before anybody is asked to flush, once for all entries of a request. */
struct pte pte_exchange(struct pte_slot *slot, struct pte pte)
{
	return (struct pte){ xchg_full(&slot->word, pte.raw) };
}

bool pte_replace(struct pte_slot *slot, struct pte expected, struct pte pte)
{
	return cas_full(&slot->word, expected.raw, pte.raw);
}

bool pte_test_and_clear_accessed(struct pte_slot *slot)
{
	return and_full(&slot->word, ~AF) & AF;
}

/* All but rights, the access flag and software's bit (Arm ARM D8.16.1): address, kind, size, memory type, not global to global. */
bool pte_must_break(struct pte old, struct pte pte, unsigned level)
{
	bool leaf = pte_is_leaf(old, level);
	u64 kept = AF | READ_ONLY | USER | PXN | UXN | DIRTY;

	return !pte_is_none(old) && (leaf != pte_is_leaf(pte, level) || ((old.raw ^ pte.raw) & ~kept));
}

void pte_settle_fault(struct pte_slot *slot, struct pte seen)
{
	if (!(seen.raw & AF))
		cas_full(&slot->word, seen.raw, seen.raw | AF); /* changed meanwhile: then it faults again, and is seen again */
}
