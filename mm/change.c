/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Taking translations away: zap, unmap, protect, remap, the end of an mm. Each is one gather around a walk of the range. The mm's
 * lock is held until the flush has ended; zap holds it shared, so that zaps of one mm run side by side (as MADV_DONTNEED does in
 * Linux).
 */
#include "arch/platform.h"
#include "check.h"
#include "machine.h"
#include "mm/batch.h"
#include "mm/gather.h"
#include "mm/switch.h"
#include "mm/table.h"

/* What to do with each leaf and each table that became empty. */
struct walk {
	struct gather *g;
	struct pa root;
	bool protect; /* give leaves `prot`; else clear them */
	unsigned prot;
	bool free_tables;
};

static void walk_leaf(struct walk *w, struct pte_slot *slot, struct pte pte, struct va va, unsigned level)
{
	if (w->protect)
		gather_change(w->g, slot, va, level, pte_with_prot(pte, w->prot, level), false);
	else
		gather_clear(w->g, slot, va, level);
}

/* Entries of `table`, which is at `level`, that cover [start, end). */
static void walk_table(struct walk *w, struct pa table, unsigned level, u64 start, u64 end)
{
	u64 size = 1ull << pt_shift(level), at, next;

	for (at = start; at < end; at = next) {
		struct pte_slot *slot = pte_slot(table, pt_index(VA(at), level));
		struct pte pte = pte_read(slot);

		next = MIN(ALIGN_DOWN(at, size) + size, end);
		if (pte_is_none(pte)) {
			w->g->found_none = true;
		} else if (pte_is_leaf(pte, level)) {
			/* Large leaves are not split: callers change them whole. */
			CHECK(!(at % size) && next - at == size);
			walk_leaf(w, slot, pte, VA(at), level);
		} else {
			walk_table(w, pte_pa(pte, level), level - 1, at, next);
			if (w->free_tables && table_is_empty(pte_pa(pte, level)))
				gather_table(w->g, slot, VA(at), level);
		}
	}
}

static void walk_range(struct walk *w)
{
	/* One root entry at a time: those of the kernel half are the same in all roots, their tables are never freed. */
	bool free_tables = w->free_tables;
	u64 at, next;

	for (at = w->g->start.raw; at < w->g->end.raw; at = next) {
		struct pte_slot *slot = pte_slot(w->root, pt_index(VA(at), PT_LEVELS - 1));
		u64 size = 1ull << pt_shift(PT_LEVELS - 1);
		struct pte pte = pte_read(slot);

		next = MIN(ALIGN_DOWN(at, size) + size, w->g->end.raw);
		if (pte_is_none(pte)) {
			w->g->found_none = true;
			continue;
		}
		walk_table(w, pte_pa(pte, PT_LEVELS - 1), PT_LEVELS - 2, at, next);
		if (free_tables && !w->g->mm->kernel && table_is_empty(pte_pa(pte, PT_LEVELS - 1)))
			gather_table(w->g, slot, VA(at), PT_LEVELS - 1);
	}
}

/* The lock is held as the kind of change asks for. */
static void change_range(struct mm *mm, struct va va, u64 bytes, enum change change, struct walk walk)
{
	struct gather g;

	CHECK(!(va.raw % PAGE_SIZE) && !(bytes % PAGE_SIZE));
	gather_open(&g, mm, va, va_add(va, bytes), mm->kernel ? CHANGE_KERNEL : change);
	walk.g = &g;
	walk.root = mm->root;
	walk_range(&walk);
	gather_close(&g);
}

void mm_zap(struct mm *mm, struct va va, u64 bytes)
{
	rwlock_take_shared(&mm->lock, "an mm's lock");
	change_range(mm, va, bytes, CHANGE_UNMAP, (struct walk){ 0 });
	rwlock_release_shared(&mm->lock);
}

void mm_pageout(struct mm *mm, struct va va, u64 bytes)
{
	batch_prepare(mm);
	rwlock_take_shared(&mm->lock, "an mm's lock");
	change_range(mm, va, bytes, CHANGE_RECLAIM, (struct walk){ 0 });
	rwlock_release_shared(&mm->lock);
	batch_settle();
}

/* Regions are not split: callers change them whole. */
static bool inside(const struct region *r, struct va va, u64 bytes)
{
	bool in = r->start.raw >= va.raw && r->end.raw <= va.raw + bytes;

	CHECK(in || r->end.raw <= va.raw || r->start.raw >= va.raw + bytes);
	return in;
}

void mm_unmap(struct mm *mm, struct va va, u64 bytes)
{
	unsigned i;

	rwlock_take_exclusive(&mm->lock, "an mm's lock");
	change_range(mm, va, bytes, CHANGE_UNMAP, (struct walk){ .free_tables = true });
	for (i = 0; i < mm->nr_regions; i++)
		if (inside(&mm->region[i], va, bytes))
			mm->region[i--] = mm->region[--mm->nr_regions];
	rwlock_release_exclusive(&mm->lock);
}

void mm_protect(struct mm *mm, struct va va, u64 bytes, unsigned prot)
{
	unsigned i;

	CHECK(prot & PROT_READ); /* an entry without it would be none */
	CHECK(!mm->kernel || (prot & PROT_GLOBAL));
	rwlock_take_exclusive(&mm->lock, "an mm's lock");
	change_range(mm, va, bytes, CHANGE_PROTECT, (struct walk){ .protect = true, .prot = prot });
	for (i = 0; i < mm->nr_regions; i++)
		if (inside(&mm->region[i], va, bytes))
			mm->region[i].prot = prot;
	rwlock_release_exclusive(&mm->lock);
}

void mm_remap(struct mm *mm, struct va va, struct pa pa, unsigned prot)
{
	struct pte pte = pte_leaf(pa, prot, 0);
	struct pte_slot *slot;
	struct gather g;
	bool breaks;

	rwlock_take_exclusive(&mm->lock, "an mm's lock");
	slot = table_find(mm->root, va, 0);
	CHECK(slot && pte_is_leaf(pte_read(slot), 0));
	breaks = pte_must_break(pte_read(slot), pte, 0);
	gather_open(&g, mm, va, va_add(va, PAGE_SIZE), mm->kernel ? CHANGE_KERNEL : CHANGE_REMAP);
	if (breaks)
		gather_clear(&g, slot, va, 0);
	else
		gather_change(&g, slot, va, 0, pte, true);
	gather_close(&g);
	/* Whoever faulted in between waits for the lock, and finds it there. */
	if (breaks)
		CHECK(pte_install(slot, pte));
	rwlock_release_exclusive(&mm->lock);
}

void mm_destroy(struct mm *mm)
{
	struct gather g;
	struct walk walk = { .g = &g, .root = mm->root, .free_tables = true };

	CHECK(!mm->kernel);
	batch_forget(mm);
	if (loaded_mm() == mm)
		switch_to_kernel();
	rwlock_take_exclusive(&mm->lock, "an mm's lock");
	gather_open(&g, mm, VA(0), VA(USER_END), CHANGE_EXIT);
	walk_range(&walk);
	/* Nobody else knows the mm any more; its root and itself go the way of its tables: after the flush. */
	rwlock_release_exclusive(&mm->lock);
	frame_list_push(&g.tables, frame_of(mm->root));
	frame_list_push(&g.tables, frame_of(mm->frame));
	gather_close(&g);
	add_full(&machine.mm.nr_mms, -1ull);
}
