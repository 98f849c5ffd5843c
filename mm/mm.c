/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address spaces: life, regions, and mapping of what was not mapped. Taking away is in mm/change.c. State: struct mm, one frame
 * each.
 */
#include "arch/clock.h"
#include "arch/frame.h"
#include "arch/platform.h"
#include "check.h"
#include "machine.h"
#include "mm/gather.h"
#include "mm/mm.h"
#include "mm/table.h"

_Static_assert(sizeof(struct mm) <= PAGE_SIZE, "an mm lives in one frame");

static void mm_init(struct mm *mm, struct pa root)
{
	mm->ctx_id = add_full(&machine.mm.next_ctx_id, 1);
	mm->root = root;
	store_relaxed(&mm->tlb_gen, 1);
	store_relaxed(&mm->next_trim, clock_now() + clock_info()->khz * 1000); /* the first trim round is a second away */
}

void mm_init_kernel(void)
{
	struct mm *kmm = &machine.mm.kernel;

	mm_init(kmm, platform_kernel_root());
	kmm->kernel = true;
}

struct mm *mm_create(void)
{
	struct pa root = frame_alloc(FRAME_TABLE);
	struct pa self = frame_alloc(FRAME_DATA);
	struct mm *mm;

	if (pa_is_none(root) || pa_is_none(self)) {
		if (!pa_is_none(root))
			frame_free(root);
		return NULL;
	}
	frame_fill(root, PAGE_SIZE, pte_none().raw);
	platform_copy_kernel_half(root);
	frame_fill(self, PAGE_SIZE, 0);
	mm = frame_contents(self);
	mm->frame = self;
	mm_init(mm, root);
	add_full(&machine.mm.nr_mms, 1);
	return mm;
}

const char *mm_add_region(struct mm *mm, struct va start, u64 bytes, unsigned prot)
{
	const char *error = NULL;
	unsigned i;

	if (start.raw % PAGE_SIZE || bytes % PAGE_SIZE || !bytes)
		return "a region starts and ends at a page";
	if (start.raw >= USER_END || bytes > USER_END - start.raw)
		return "a region lies in user space";
	rwlock_take_exclusive(&mm->lock, "an mm's lock");
	for (i = 0; i < mm->nr_regions; i++)
		if (start.raw < mm->region[i].end.raw && mm->region[i].start.raw < start.raw + bytes)
			error = "regions do not overlap";
	if (mm->nr_regions == MAX_REGIONS)
		error = "an mm has at most 8 regions";
	if (!error)
		mm->region[mm->nr_regions++] = (struct region){ start, va_add(start, bytes), prot };
	rwlock_release_exclusive(&mm->lock);
	return error;
}

bool mm_map_frame(struct mm *mm, struct va va, struct pa pa, unsigned level, unsigned prot)
{
	struct pte_slot *slot;
	bool done;

	CHECK(!mm->kernel || (prot & PROT_GLOBAL)); /* no generation would tell a CPU of an entry under a tag that is not loaded */
	rwlock_take_shared(&mm->lock, "an mm's lock");
	slot = table_grow(mm->root, va, level);
	done = slot && pte_install(slot, pte_leaf(pa, prot, level));
	rwlock_release_shared(&mm->lock);
	return done;
}

bool mm_populate(struct mm *mm, struct va va, u64 pages, unsigned level, unsigned prot)
{
	u64 size = 1ull << pt_shift(level), i;

	CHECK(level <= 1 && !(va.raw % size));
	for (i = 0; i < pages; i++) {
		struct va at = va_add(va, i * size);
		struct pa pa;

		if (!pte_is_none(mm_lookup(mm, at)))
			continue;
		pa = level ? frame_alloc_large() : frame_alloc(FRAME_DATA);
		if (pa_is_none(pa))
			return false;
		frame_fill(pa, size, 0);
		if (!mm_map_frame(mm, at, pa, level, prot)) {
			frame_free(pa);
			return false;
		}
	}
	return true;
}

struct pte mm_lookup(struct mm *mm, struct va va)
{
	struct pte pte = pte_none();
	struct pte_slot *slot;
	unsigned level;

	rwlock_take_shared(&mm->lock, "an mm's lock");
	slot = table_leaf(mm->root, va, &level);
	if (slot)
		pte = pte_read(slot);
	rwlock_release_shared(&mm->lock);
	return pte;
}

bool mm_test_and_clear_young(struct mm *mm, struct va va)
{
	struct pte_slot *slot;
	unsigned level;
	bool young;

	rwlock_take_shared(&mm->lock, "an mm's lock");
	slot = table_leaf(mm->root, va, &level);
	young = slot && pte_test_and_clear_accessed(slot);
	rwlock_release_shared(&mm->lock);
	return young;
}
