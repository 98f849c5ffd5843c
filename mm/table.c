/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Walks of the page tables by software. No state. Tables of an mm appear under its lock shared (by compare-and-swap, several may
 * race) and disappear only under its lock exclusive, so a walk under either is never in a freed one.
 */
#include "arch/frame.h"
#include "check.h"
#include "mm/frame.h"
#include "mm/table.h"

struct pte_slot *table_find(struct pa root, struct va va, unsigned level)
{
	struct pa table = root;
	unsigned at;

	for (at = PT_LEVELS - 1; at > level; at--) {
		struct pte pte = pte_read(pte_slot(table, pt_index(va, at)));

		if (!pte_is_table(pte, at))
			return NULL;
		table = pte_pa(pte, at);
	}
	return pte_slot(table, pt_index(va, level));
}

/* The table below `slot`, made if there is none; PA_NONE when out of frames. */
static struct pa next_table(struct pte_slot *slot, unsigned level)
{
	struct pte pte = pte_read(slot);
	struct pa fresh;

	if (pte_is_none(pte)) {
		fresh = frame_alloc(FRAME_TABLE);
		if (pa_is_none(fresh))
			return PA_NONE;
		frame_fill(fresh, PAGE_SIZE, pte_none().raw);
		if (pte_install(slot, pte_table(fresh)))
			return fresh;
		frame_free(fresh); /* somebody was first; nobody ever saw this one */
		pte = pte_read(slot);
	}
	return pte_is_table(pte, level) ? pte_pa(pte, level) : PA_NONE;
}

struct pte_slot *table_grow(struct pa root, struct va va, unsigned level)
{
	struct pa table = root;
	unsigned at;

	for (at = PT_LEVELS - 1; at > level; at--) {
		table = next_table(pte_slot(table, pt_index(va, at)), at);
		if (pa_is_none(table))
			return NULL;
	}
	return pte_slot(table, pt_index(va, level));
}

struct pte_slot *table_leaf(struct pa root, struct va va, unsigned *level)
{
	for (*level = 0; *level < PT_LEVELS - 1; (*level)++) {
		struct pte_slot *slot = table_find(root, va, *level);

		if (slot && pte_is_leaf(pte_read(slot), *level))
			return slot;
	}
	return NULL;
}

bool table_is_empty(struct pa table)
{
	unsigned i;

	for (i = 0; i < PT_ENTRIES; i++)
		if (!pte_is_none(pte_read(pte_slot(table, i))))
			return false;
	return true;
}
