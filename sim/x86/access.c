/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses through the TLB, and fills nobody asked for. Owns the TLB entries of each CPU. Rules 2, 3, 9 (page faults). Accesses
 * have the rights of user mode where the entry has U; SMEP, SMAP, XD and protection keys are not modelled: data only. The oracles
 * of translations are here: O-STALE, O-PERM, O-FRAME, O-XMM, O-DIRTY, O-MULTI, each at the architectural use of an entry; holding
 * one is never wrong.
 */
#include "sim/oracle.h"
#include "sim/x86/tlb.h"

static u64 translate(const struct tlb_entry *e, u64 va)
{
	return e->pa + (va & ((1ull << e->shift) - 1));
}

static bool usable(const struct model_cpu *c, const struct tlb_entry *e, u64 va)
{
	return tlb_covers(e, va) && (e->global || e->pcid == tlb_pcid(c));
}

static struct tlb_entry *find(struct model_cpu *c, u64 va)
{
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++)
		if (usable(c, &c->tlb[i], va))
			return &c->tlb[i];
	return NULL;
}

/* Rule 3: of two entries for one address either may be used, or a mix (SDM vol. 3A 4.10.2.3). */
static void check_single(struct model_cpu *c, const struct tlb_entry *first, u64 va)
{
	const struct tlb_entry *e;

	for (e = first + 1; e < c->tlb + c->nr_tlb; e++)
		if (usable(c, e, va) &&
		    (translate(e, va) != translate(first, va) || e->page_shift != first->page_shift || e->write != first->write) &&
		    oracle_on("O-MULTI"))
			violation("O-MULTI",
				  "CPU %u has two translations of 0x%llx: to 0x%llx (page of %u bits%s) and to 0x%llx (%u bits%s)",
				  (unsigned)(c - model.cpu), (llu)va, (llu)translate(first, va), first->page_shift,
				  first->write ? ", writable" : "", (llu)translate(e, va), e->page_shift,
				  e->write ? ", writable" : "");
}

static struct tlb_entry *keep(struct model_cpu *c, const struct tlb_entry *e)
{
	if (c->nr_tlb == TLB_ENTRIES)
		c->tlb[0] = c->tlb[--c->nr_tlb]; /* the model's limit, not a freedom */
	c->tlb[c->nr_tlb] = *e;
	model.seen.fills++;
	return &c->tlb[c->nr_tlb++];
}

void tlb_spontaneous(unsigned cpu, u64 va)
{
	struct model_cpu *c = &model.cpu[cpu];
	struct tlb_entry e;

	if (!CANONICAL(va) || find(c, va) || !tlb_walk(c, va, &e))
		return;
	e.speculative = true;
	keep(c, &e);
	model.seen.speculative_fills++;
}

/*
 * Rule 9 (SDM vol. 3A 4.10.4.1): the entries and walk caches that were used go, so that a fault that the tables don't warrant does
 * not come again. A global entry too: with it the fault would. Delivery of an exception empties the store buffer (SDM vol.
 * 3A 12.10).
 */
static bool page_fault(struct model_cpu *c, u64 va, bool store)
{
	tlb_invalidate(c, &(struct invalidation){ .has_va = true,
						  .va = va,
						  .has_pcid = true,
						  .pcid = tlb_pcid(c),
						  .globals = true,
						  .piece = true,
						  .walks = WALKS_PATH });
	memory_drain((unsigned)(c - model.cpu));
	c->cr2 = va;
	model.seen.faults++;
	return oracle_fault(va, store);
}

static void check_promise(const struct model_cpu *c, const struct tlb_entry *e, u64 va, u64 now)
{
	const struct stale_range *range = stale_set_find(c, e->pcid, e->root, va);

	if (e->illegal_since && oracle_on(e->illegal_by)) {
		if (!range && !c->stale_lost)
			violation("MODEL", "%s speaks on 0x%llx, the set of stale addresses does not", e->illegal_by, (llu)va);
		violation(e->illegal_by,
			  "CPU %u uses a translation of 0x%llx to 0x%llx; CPU %u said at step %llu that it was gone; "
			  "entry then 0x%llx, now 0x%llx%s",
			  model.current, (llu)va, (llu)translate(e, va), e->promised_by, (llu)e->illegal_since, (llu)e->pte,
			  (llu)now, e->speculative ? "; filled by speculation" : "");
	}
	if (range && range->promised && !e->illegal_since && oracle_on("O-STALE"))
		violation(
			"O-STALE",
			"CPU %u uses 0x%llx, for which it may hold an entry that CPU %u took away and said to be gone at step %llu",
			model.current, (llu)va, range->by, (llu)range->promised);
}

/* An architectural use of e. */
static void check_use(const struct model_cpu *c, const struct tlb_entry *e, u64 va)
{
	u64 now = tlb_tables_say(e->root, va), page = e->pte & PTE_ADDR & ~((1ull << e->page_shift) - 1);

	if (!e->global && e->root != (c->cr3 & PTE_ADDR) && oracle_on("O-XMM"))
		violation("O-XMM", "CPU %u uses a translation of 0x%llx under root 0x%llx that was walked from root 0x%llx",
			  model.current, (llu)va, (llu)(c->cr3 & PTE_ADDR), (llu)e->root);
	check_promise(c, e, va, now);
	if ((oracle_frame_gen(page) != e->frame_gen || !oracle_frame_is_data(page)) && oracle_on("O-FRAME"))
		violation("O-FRAME", "CPU %u uses a translation of 0x%llx to frame 0x%llx, which has been freed since",
			  model.current, (llu)va, (llu)page);
	if ((now ^ e->pte) & ~(PTE_A | PTE_D))
		model.seen.stale_legal++;
}

/* Rule 2: a store through an entry cached with D = 0 walks again, and sets D in what it finds. NULL: a fault. */
static struct tlb_entry *translation(struct model_cpu *c, u64 va, bool store)
{
	struct tlb_entry *e = find(c, va), fresh;

	if (e)
		check_single(c, e, va);
	if (e && store && e->write && !e->dirty) {
		*e = c->tlb[--c->nr_tlb];
		e = NULL;
	}
	if (e)
		return !store || e->write ? e : NULL;
	if (!tlb_walk(c, va, &fresh) || (store && !fresh.write))
		return NULL;
	if (store && !fresh.dirty) {
		arena_touch((u64)((u8 *)fresh.slot - ARENA));
		*fresh.slot |= PTE_D;
		fresh.pte |= PTE_D;
		fresh.dirty = true;
	}
	return keep(c, &fresh);
}

static struct model_access perform(const struct tlb_entry *e, u64 va, bool store, u64 value)
{
	u64 pa = translate(e, va);
	u64 *at = (u64 *)(ARENA + pa);

	if (pa + 8 > ARENA_BYTES)
		violation("O-FRAME", "CPU %u reaches 0x%llx outside memory through 0x%llx", model.current, (llu)pa, (llu)va);
	if (store) {
		arena_touch(pa);
		oracle_stored(e->pte & PTE_ADDR & ~((1ull << e->page_shift) - 1), va);
		*at = value;
	}
	return (struct model_access){ .value = *at };
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
		if (e) {
			check_use(c, e, va);
			return perform(e, va, store, value);
		}
	} while (page_fault(c, va, store));
	return (struct model_access){ .fault = true };
}

/* What the tables say now takes something of e away. Rights only: O-PERM. */
static const char *took_away(const struct tlb_entry *e, u64 now)
{
	u64 page = ~((1ull << e->page_shift) - 1) & PTE_ADDR;
	bool other = !(now & PTE_P) || ((e->pte ^ now) & page) || (e->page_shift > 12 && !(now & PTE_PS));

	return other ? "O-STALE" : (e->pte & ~now & (PTE_W | PTE_U)) ? "O-PERM" : NULL;
}

static u64 bit_of_current(void)
{
	return 1ull << (model.current % 32 + (model.later ? 32 : 0));
}

void tlb_condemn(u64 root, u64 start, u64 end, bool kernel)
{
	unsigned cpu, i;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		for (i = 0; i < model.cpu[cpu].nr_tlb; i++) {
			struct tlb_entry *e = &model.cpu[cpu].tlb[i];
			u64 va = (u64)((s64)(e->page << e->shift << 16) >> 16);
			const char *by;

			if ((!kernel && e->root != root) || va >= end || va + (1ull << e->shift) <= start || e->illegal_since)
				continue;
			by = took_away(e, tlb_tables_say(root, va));
			if (!by)
				continue;
			e->illegal_by = by;
			e->condemned |= bit_of_current();
		}
	}
	stale_set_condemn(root, start, end, kernel, bit_of_current());
}

void tlb_promise(void)
{
	unsigned cpu, i;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		for (i = 0; i < model.cpu[cpu].nr_tlb; i++) {
			struct tlb_entry *e = &model.cpu[cpu].tlb[i];

			if ((e->condemned & bit_of_current()) && !e->illegal_since)
				e->illegal_since = model.step, e->promised_by = model.current;
			e->condemned &= ~bit_of_current();
		}
	}
	stale_set_promise(bit_of_current());
}
