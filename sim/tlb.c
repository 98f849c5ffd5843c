/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a CPU's TLB holds, whatever the ISA: rules 1, 3; 19, 20. Owns the TLB entries of each CPU. The oracles of translations are
 * here: O-STALE, O-PERM, O-FRAME, O-XMM, O-DIRTY, O-MULTI, each at the architectural use of an entry; holding one is never wrong.
 */
#include "sim/oracle.h"
#include "sim/tlb.h"

bool tlb_covers(const struct tlb_entry *e, u64 va)
{
	return va >> e->shift == e->page;
}

u64 tlb_translate(const struct tlb_entry *e, u64 va)
{
	return e->pa + (va & ((1ull << e->shift) - 1));
}

u64 tlb_page_at(const struct tlb_entry *e, u64 va)
{
	return tlb_translate(e, va) & ~((1ull << e->page_shift) - 1);
}

u32 tlb_frames_gen(const struct tlb_entry *e)
{
	u64 pa = e->pa & ~((1ull << e->page_shift) - 1);
	u32 sum = 0;

	for (; pa < e->pa + (1ull << e->shift); pa += 1ull << e->page_shift)
		sum += oracle_frame_gen(pa);
	return sum;
}

bool tlb_usable(const struct model_cpu *c, const struct tlb_entry *e, u64 va)
{
	return tlb_covers(e, va) && (e->global || e->tag == isa_tag(c));
}

struct tlb_entry *tlb_find(struct model_cpu *c, u64 va)
{
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++)
		if (tlb_usable(c, &c->tlb[i], va))
			return &c->tlb[i];
	return NULL;
}

static bool differ(const struct tlb_entry *a, const struct tlb_entry *b, u64 va)
{
	return tlb_translate(a, va) != tlb_translate(b, va) || a->page_shift != b->page_shift || isa_conflict(a, b);
}

/* Of two entries for one address either may be used, or a mix (rules 3, 27). */
void tlb_check_single(struct model_cpu *c, const struct tlb_entry *first, u64 va)
{
	const struct tlb_entry *e;

	if (first->torn && oracle_on("O-MULTI"))
		violation("O-MULTI", "CPU %u uses 0x%llx, one of contiguous pages whose entries do not agree: 0x%llx was read",
			  (unsigned)(c - model.cpu), (llu)va, (llu)first->pte);
	for (e = first + 1; e < c->tlb + c->nr_tlb; e++)
		if (tlb_usable(c, e, va) && differ(e, first, va) && oracle_on("O-MULTI"))
			violation("O-MULTI",
				  "CPU %u has two translations of 0x%llx: to 0x%llx (page of %u bits%s) and to 0x%llx (%u bits%s)",
				  (unsigned)(c - model.cpu), (llu)va, (llu)tlb_translate(first, va), first->page_shift,
				  first->write ? ", writable" : "", (llu)tlb_translate(e, va), e->page_shift,
				  e->write ? ", writable" : "");
}

/* --- what is promised --- */

/* What the tables say now takes something of e away. Rights only: O-PERM. */
static const char *took_away(const struct tlb_entry *e, u64 va, const struct mapping *now)
{
	u64 page = ~((1ull << e->page_shift) - 1);

	if (!now->entry || ((now->page ^ tlb_page_at(e, va)) & page) || now->shift < e->page_shift)
		return "O-STALE";
	return (e->write && !now->write) || (e->user && !now->user) ? "O-PERM" : NULL;
}

static u64 bit_of(unsigned cpu)
{
	return 1ull << (cpu % 32 + (model.later ? 32 : 0));
}

static void condemn_page(struct tlb_entry *e, u64 va, const struct closing *what, u64 bit)
{
	struct mapping now = tlb_tables_say(what->root, va);
	const char *by = took_away(e, va, &now);

	if (by) {
		e->illegal_by = by;
		e->condemned |= bit;
	}
}

/* If it is for an address and root that will be promised, and gives more than the tables say. */
static void condemn(struct tlb_entry *e, const struct closing *what, u64 bit)
{
	u64 va = e->page << e->shift, end = va + (1ull << e->shift), step = 1ull << e->page_shift;

	if ((!what->kernel && e->root != what->root) || va >= what->end || end <= what->start || e->illegal_since)
		return;
	/* A piece of a large page is one page; contiguous ones are several. */
	for (; va < end && va < what->end; va += step)
		if (va + step > what->start)
			condemn_page(e, va, what, bit);
}

/*
 * Filled from a table that has changed already. If that CPU has yet to begin its flush, it will condemn this one with the others;
 * else it is part of what is being promised.
 */
static void condemn_late(struct tlb_entry *e)
{
	unsigned by = e->late_by - 1u;
	const struct closing *closing = &model.cpu[by].closing;

	if (closing->on)
		condemn(e, closing, bit_of(by));
}

struct tlb_entry *tlb_keep(struct model_cpu *c, const struct tlb_entry *e)
{
	if (c->nr_tlb == TLB_ENTRIES)
		c->tlb[0] = c->tlb[--c->nr_tlb]; /* the model's limit, not a freedom */
	c->tlb[c->nr_tlb] = *e;
	if (e->late_by)
		condemn_late(&c->tlb[c->nr_tlb]);
	model.seen.fills++;
	model_saw((unsigned)(c - model.cpu), "fill", e->page << e->shift, e->speculative);
	return &c->tlb[c->nr_tlb++];
}

void tlb_drop(struct model_cpu *c, struct tlb_entry *e)
{
	*e = c->tlb[--c->nr_tlb];
}

static void check_promise(const struct model_cpu *c, const struct tlb_entry *e, u64 va, u64 now)
{
	const struct stale_range *range = stale_set_find(c, e->tag, e->root, va);

	if (e->illegal_since && oracle_on(e->illegal_by)) {
		if (!range && !c->stale_lost && !e->late_by && !e->foreign)
			violation("MODEL", "%s speaks on 0x%llx, the set of stale addresses does not", e->illegal_by, (llu)va);
		violation(e->illegal_by,
			  "CPU %u uses a translation of 0x%llx to 0x%llx; CPU %u said at step %llu that it was gone; "
			  "entry then 0x%llx, now 0x%llx%s",
			  model.current, (llu)va, (llu)tlb_translate(e, va), e->promised_by, (llu)e->illegal_since, (llu)e->pte,
			  (llu)now, e->speculative ? "; filled by speculation" : "");
	}
	if (range && range->promised && !e->illegal_since && oracle_on("O-STALE"))
		violation(
			"O-STALE",
			"CPU %u uses 0x%llx, for which it may hold an entry that CPU %u took away and said to be gone at step %llu",
			model.current, (llu)va, range->by, (llu)range->promised);
}

static void check_use(const struct model_cpu *c, const struct tlb_entry *e, u64 va)
{
	struct mapping now = tlb_tables_say(e->root, va);
	u64 page = tlb_page_at(e, va), root = isa_root(c, va);

	if (!e->global && e->root != root && oracle_on("O-XMM"))
		violation("O-XMM", "CPU %u uses a translation of 0x%llx under root 0x%llx that was walked from root 0x%llx",
			  model.current, (llu)va, (llu)root, (llu)e->root);
	check_promise(c, e, va, now.entry);
	if ((tlb_frames_gen(e) != e->frame_gen || !oracle_frame_is_data(page)) && oracle_on("O-FRAME"))
		violation("O-FRAME", "CPU %u uses a translation of 0x%llx to frame 0x%llx, which has been freed since",
			  model.current, (llu)va, (llu)page);
	if (now.page != page || ((now.entry ^ e->pte) & ~(PTE_VOLATILE | PTE_ADDR)) || now.write != e->write ||
	    now.user != e->user) {
		model.seen.stale_legal++;
		model_saw(model.current, "stale", va, 0);
	}
}

static struct model_access perform(const struct tlb_entry *e, u64 va, bool store, u64 value)
{
	u64 pa = tlb_translate(e, va);
	u64 *at = (u64 *)(ARENA + pa);

	if (pa + 8 > ARENA_BYTES)
		violation("O-FRAME", "CPU %u reaches 0x%llx outside memory through 0x%llx", model.current, (llu)pa, (llu)va);
	if (store) {
		arena_touch(pa);
		oracle_stored(tlb_page_at(e, va), va);
		*at = value;
	}
	return (struct model_access){ .value = *at };
}

struct model_access tlb_use(struct model_cpu *c, const struct tlb_entry *e, u64 va, bool store, u64 value)
{
	check_use(c, e, va);
	return perform(e, va, store, value);
}

/* --- invalidation --- */

/* Does [start, start + size), size a power of two, lie on what has_va says? */
static bool meets(const struct invalidation *what, u64 start, u64 size)
{
	return what->bytes ? start < what->va + what->bytes && what->va < start + size : start == (what->va & ~(size - 1));
}

/* All pieces of a large page are entries for the page that holds va; for a page fault only the one at va is. */
static bool at_va(const struct tlb_entry *e, const struct invalidation *what)
{
	u8 shift = what->piece || e->shift > e->page_shift ? e->shift : e->page_shift;

	return meets(what, e->page << e->shift >> shift << shift, 1ull << shift);
}

bool tlb_reaches(const struct invalidation *what, const struct tlb_entry *e)
{
	if (what->spares_foreign && e->foreign)
		return false;
	if ((what->has_va && !at_va(e, what)) || (what->leaf_shift && what->leaf_shift != e->page_shift))
		return false;
	return e->global ? what->globals : !what->has_tag || e->tag == what->tag;
}

/* Walk caches are never global: their tag is all that counts. */
bool tlb_reaches_walk(const struct invalidation *what, const struct walk_entry *w)
{
	u8 shift = w->shift + 9;

	if ((what->has_tag && w->tag != what->tag) || (what->spares_foreign && w->foreign))
		return false;
	return what->walks == WALKS_ALL || (what->walks == WALKS_PATH && meets(what, w->prefix << shift, 1ull << shift));
}

void tlb_invalidate(struct model_cpu *c, const struct invalidation *what)
{
	unsigned i, before = c->nr_tlb;

	for (i = 0; i < c->nr_tlb; i++)
		if (tlb_reaches(what, &c->tlb[i]))
			c->tlb[i--] = c->tlb[--c->nr_tlb];
	if (c->nr_tlb < before)
		model_saw((unsigned)(c - model.cpu), "drops", before - c->nr_tlb, 0);
	for (i = 0; i < c->nr_walks; i++)
		if (tlb_reaches_walk(what, &c->walks[i]))
			c->walks[i--] = c->walks[--c->nr_walks];
	stale_set_invalidated(c, what, isa_tag(c), isa_root(c, 0));
}

void tlb_condemn(u64 root, u64 start, u64 end, bool kernel)
{
	struct closing *closing = &model.cpu[model.current].closing;
	u64 bit = bit_of(model.current);
	unsigned cpu, i;

	*closing = (struct closing){ true, kernel, root, start, end };
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		for (i = 0; i < model.cpu[cpu].nr_tlb; i++)
			condemn(&model.cpu[cpu].tlb[i], closing, bit);
	stale_set_condemn(root, start, end, kernel, bit);
}

void tlb_promise(void)
{
	u64 bit = bit_of(model.current);
	unsigned cpu, i;

	model.cpu[model.current].closing.on = false;
	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		for (i = 0; i < model.cpu[cpu].nr_tlb; i++) {
			struct tlb_entry *e = &model.cpu[cpu].tlb[i];

			if ((e->condemned & bit) && !e->illegal_since)
				e->illegal_since = model.step, e->promised_by = model.current;
			e->condemned &= ~bit;
		}
	}
	stale_set_promise(bit);
}
