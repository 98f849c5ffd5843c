/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: page-table entries. Nothing above arch/ knows a bit of one, and nothing reads or writes a page table in memory but
 * through these functions. Levels count from the leaf: 0 = 4 KiB leaf table, 1 = 2 MiB, 2 = 1 GiB, 3 = root.
 *
 * "none" is the all-invalid entry: neither walks nor software see anything there. "leaf" maps a page; "table" points to the
 * next lower table. (SDM vol. 3A 4.5; Arm ARM D8.3.)
 */
#ifndef ARCH_PTE_H
#define ARCH_PTE_H

#include "arch/atomic.h"
#include "types.h"

#define PT_LEVELS 4
#define PT_ENTRIES 512

struct pte {
	u64 raw;
};

struct pte_slot { /* one entry in a table in memory; hardware walkers read it and set A and D in it */
	struct word word;
};

enum prot {
	PROT_READ = 1,
	PROT_WRITE = 2,
	PROT_EXEC = 4,
	PROT_USER = 8,
	PROT_GLOBAL = 16, /* same in all address spaces: kernel mappings */
	PROT_DEVICE = 32, /* uncached */
};

static inline unsigned pt_shift(unsigned level)
{
	return PAGE_SHIFT + 9 * level;
}

static inline unsigned pt_index(struct va va, unsigned level)
{
	return (va.raw >> pt_shift(level)) & (PT_ENTRIES - 1);
}

struct pte pte_none(void);
struct pte pte_leaf(struct pa pa, unsigned prot, unsigned level);
struct pte pte_table(struct pa pa);

bool pte_is_none(struct pte pte);
bool pte_is_leaf(struct pte pte, unsigned level);
bool pte_is_table(struct pte pte, unsigned level);
struct pa pte_pa(struct pte pte, unsigned level);
unsigned pte_prot(struct pte pte);
bool pte_accessed(struct pte pte);
bool pte_dirty(struct pte pte);

struct pte pte_with_prot(struct pte pte, unsigned prot, unsigned level); /* the same leaf, other rights; A and D kept */

/* Entry `index` of the table at `table`, in memory. */
struct pte_slot *pte_slot(struct pa table, unsigned index);

/*
 * Acquire order: what comes after is not read before the entry. Who finds none there looks at mm->gathers next (gather.c), and must
 * not see a count from before the one who took it away.
 */
struct pte pte_read(const struct pte_slot *slot);

/*
 * none -> pte, with release order (the frame's contents before the entry). False: somebody was first, nothing changed.
 * Needs no flush: x86 never caches a not-present entry (SDM 4.10.2.3); arm64 follows it with DSB ISHST.
 */
bool pte_install(struct pte_slot *slot, struct pte pte);

/*
 * Take a translation, or rights of it, away. Only mm/shootdown/gather.c calls these (a lint holds it). Both are single locked
 * operations, so that an A or D bit set by a walker meanwhile is in the value returned. Full order.
 */
struct pte pte_exchange(struct pte_slot *slot, struct pte pte);
bool pte_replace(struct pte_slot *slot, struct pte expected, struct pte pte); /* false: it was not `expected` */

/*
 * Before an operation of full order: what this CPU has stored in entries is visible to every CPU's walks before anything that comes
 * after that operation. x86: nothing, the operation does it (SDM vol. 3A 9.2). arm64: a DSB; walks are ordered by nothing else
 * (Arm ARM D8.2.6; Simner et al., ESOP 2022). With `holders`, what comes after looks who holds entries; else for the mm's tag only.
 */
void pte_publish(bool holders);

/*
 * Must `old` be taken away, and be flushed everywhere, before `pte` may be installed in its place? x86: never. arm64: where the
 * output address or what else may not differ between two cached entries does (Arm ARM D8.16.1, break-before-make).
 */
bool pte_must_break(struct pte old, struct pte pte, unsigned level);

/*
 * An access that `seen` allows has faulted: software does in the entry what hardware can't, so that it doesn't fault again. x86:
 * nothing is to do. arm64 without hardware management of the access flag: sets A.
 */
void pte_settle_fault(struct pte_slot *slot, struct pte seen);

/* Clears A and says whether it was set. No flush: a cached entry survives and does not set A again; that is the point. */
bool pte_test_and_clear_accessed(struct pte_slot *slot);

#endif
