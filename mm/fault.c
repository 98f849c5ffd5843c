/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page faults: demand zero, and spurious ones. No state. A fault is spurious when the tables allow the access by now: another CPU
 * faulted first, or rights were added and this CPU's TLB had the old ones (which needs no flush, so faults must be tolerated).
 */
#include "arch/frame.h"
#include "arch/platform.h"
#include "arch/upcall.h"
#include "check.h"
#include "machine.h"
#include "mm/mm.h"
#include "mm/switch.h"
#include "mm/table.h"

COUNTER(faults_zero, "faults that made a zeroed page appear");
COUNTER(faults_spurious, "faults that found the access allowed by then");

static bool allows(unsigned prot, unsigned access)
{
	return (prot & PROT_READ) && (!(access & FAULT_WRITE) || (prot & PROT_WRITE)) &&
	       (!(access & FAULT_EXEC) || (prot & PROT_EXEC));
}

static const struct region *region_at(const struct mm *mm, struct va va)
{
	unsigned i;

	for (i = 0; i < mm->nr_regions; i++)
		if (va.raw >= mm->region[i].start.raw && va.raw < mm->region[i].end.raw)
			return &mm->region[i];
	return NULL;
}

static bool zero_page(struct mm *mm, struct va va, unsigned prot)
{
	struct va page = VA(ALIGN_DOWN(va.raw, PAGE_SIZE));
	struct pte_slot *slot = table_grow(mm->root, page, 0);
	struct pa pa;

	if (!slot)
		return false;
	pa = frame_alloc(FRAME_DATA);
	if (pa_is_none(pa))
		return false;
	frame_fill(pa, PAGE_SIZE, 0);
	if (pte_install(slot, strategy_now()->tracker->filled(mm, page, pte_leaf(pa, prot, 0)))) {
		count(&counter_faults_zero, 1);
		return true;
	}
	/* Another CPU was first; nobody ever saw this frame. Theirs may be gone again by now: then the access faults once more. */
	frame_free(pa);
	return true;
}

bool mm_fault(struct va va, unsigned access)
{
	struct mm *mm = va.raw < USER_END ? loaded_mm() : &machine.mm.kernel;
	const struct region *region;
	struct pte_slot *slot;
	bool repaired = false;
	unsigned level;
	struct pte pte;

	/* A lazy CPU has no business in user space: what it has loaded may be behind. */
	CHECK(va.raw >= USER_END || !load_relaxed(&this_cpu()->tlb.lazy));
	if (mm->keep_faults)
		return false;
	rwlock_take_shared(&mm->lock, "an mm's lock");
	slot = table_leaf(mm->root, va, &level);
	/* Once: a zap, which holds the lock shared too, may take it away at any time. */
	pte = slot ? pte_read(slot) : pte_none();
	region = region_at(mm, va);
	if (!pte_is_none(pte)) {
		repaired = allows(pte_prot(pte), access);
		if (repaired) {
			pte_settle_fault(slot, pte);
			count(&counter_faults_spurious, 1);
		}
	} else if (region && allows(region->prot, access)) {
		repaired = zero_page(mm, va, region->prot);
	}
	rwlock_release_shared(&mm->lock);
	return repaired;
}

bool upcall_page_fault(struct va va, unsigned access)
{
	return mm_fault(va, access);
}
