/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses through the TLB, and fills nobody asked for: rules 2, 3, 9 (page faults). Accesses have the rights of user mode where
 * the entry has U; SMEP, SMAP, XD and protection keys are not modelled: data only.
 */
#include "sim/oracle.h"
#include "sim/x86/x86.h"

u16 isa_tag(const struct model_cpu *c)
{
	return c->isa.cr4 & MODEL_PCIDE ? c->isa.cr3 & 0xfff : 0;
}

u64 isa_root(const struct model_cpu *c, u64 va)
{
	(void)va;
	return c->isa.cr3 & PTE_ADDR;
}

u32 isa_root_gen(const struct model_cpu *c, u64 va)
{
	(void)va;
	return c->isa.root_gen;
}

bool isa_common(const struct model_cpu *c, u64 va)
{
	(void)c, (void)va;
	return false;
}

/* SDM vol. 3A 4.10.2.3: R/W of either may be used. */
bool isa_conflict(const struct tlb_entry *a, const struct tlb_entry *b)
{
	return a->write != b->write;
}

void tlb_spontaneous(unsigned cpu, u64 va)
{
	struct model_cpu *c = &model.cpu[cpu];
	struct tlb_entry e;

	if (!CANONICAL(va) || tlb_find(c, va) || !tlb_walk(c, va, &e))
		return;
	e.speculative = true;
	tlb_keep(c, &e);
	model.seen.speculative_fills++;
}

/*
 * Rule 9 (SDM vol. 3A 4.10.4.1): the entries and walk caches that were used go, so that a fault that the tables don't warrant does
 * not come again. A global entry too: with it the fault would.
 */
static bool page_fault(struct model_cpu *c, u64 va, bool store)
{
	tlb_invalidate(c, &(struct invalidation){ .has_va = true,
						  .va = va,
						  .has_tag = true,
						  .tag = isa_tag(c),
						  .globals = true,
						  .piece = true,
						  .walks = WALKS_PATH });
	isa_exception((unsigned)(c - model.cpu));
	c->isa.cr2 = va;
	model.seen.faults++;
	return oracle_fault(va, store);
}

/* A walker sets D as a locked operation would. Broken: it stores what it read before, with D, while others may store too. */
static void set_dirty(struct model_cpu *c, struct tlb_entry *fresh, u64 va)
{
	bool irq_on = c->irq_on;

	if (model.knobs & KNOB_DIRTY_NOT_ATOMIC) {
		c->irq_on = false; /* all this is within one instruction */
		model_step("walker's store", (u64)fresh->slot, va);
		c->irq_on = irq_on;
		*fresh->slot = fresh->pte;
	}
	arena_touch((u64)((u8 *)fresh->slot - ARENA));
	*fresh->slot |= PTE_D;
	fresh->pte |= PTE_D;
	fresh->dirty = true;
}

/* Rule 2: a store through an entry cached with D = 0 walks again, and sets D in what it finds. NULL: a fault. */
static struct tlb_entry *translation(struct model_cpu *c, u64 va, bool store)
{
	struct tlb_entry *e = tlb_find(c, va), fresh;

	if (e)
		tlb_check_single(c, e, va);
	if (e && store && e->write && !e->dirty) {
		tlb_drop(c, e);
		e = NULL;
	}
	if (e)
		return !store || e->write ? e : NULL;
	if (!tlb_walk(c, va, &fresh) || (store && !fresh.write))
		return NULL;
	if (store && !fresh.dirty)
		set_dirty(c, &fresh, va);
	return tlb_keep(c, &fresh);
}

struct model_access tlb_access(u64 va, bool store, u64 value)
{
	struct model_cpu *c = &model.cpu[model.current];
	struct tlb_entry *e;

	do {
		model_step(store ? "va store" : "va load", va, value);
		if (!CANONICAL(va))
			break;
		e = translation(c, va, store);
		if (e)
			return tlb_use(c, e, va, store, value);
	} while (page_fault(c, va, store));
	return (struct model_access){ .fault = true };
}
