/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The TLB of x86: translations, walk caches, walkers. Freedoms and duties by rule number (docs/model.md). Every freedom is on: a walker may fill
 * whatever is reachable from CR3 at any time, walk caches are always used while they are there, nothing is ever evicted (an
 * eviction can only hide a bug), and an invalidation drops exactly what the manual guarantees.
 */
#include "sim/model.h"

#define PCIDE (1ull << 17)
#define PGE (1ull << 7)
#define CR3_ADDR 0x000ffffffffff000ull
#define CANONICAL(va) ((s64)(va) << 16 >> 16 == (s64)(va))

static struct model_cpu *self(void)
{
	return &model.cpu[model.current];
}

static u16 pcid_of(const struct model_cpu *c)
{
	return c->cr4 & PCIDE ? c->cr3 & 0xfff : 0;
}

static bool covers(const struct tlb_entry *e, u64 va)
{
	return (va & 0x0000ffffffffffff) >> e->shift == e->page;
}

static struct tlb_entry *find(struct model_cpu *c, u64 va)
{
	struct tlb_entry *found = NULL;
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++) {
		struct tlb_entry *e = &c->tlb[i];

		if (!covers(e, va) || (!e->global && e->pcid != pcid_of(c)))
			continue;
		/* Rule 3: two entries for one address; which one is used is unpredictable. */
		if (found && (found->pa + (va & ((1ull << found->shift) - 1)) != e->pa + (va & ((1ull << e->shift) - 1)) || found->write != e->write))
			violation("O-MULTI", "CPU %u has two different translations of 0x%llx", model.current, (unsigned long long)va);
		if (!found)
			found = e;
	}
	return found;
}

static void drop_tlb(struct model_cpu *c, unsigned i)
{
	c->tlb[i] = c->tlb[--c->nr_tlb];
}

static void drop_walks(struct model_cpu *c, bool all, u16 pcid)
{
	unsigned i;

	for (i = 0; i < c->nr_walks; i++)
		if (all || c->walks[i].pcid == pcid)
			c->walks[i--] = c->walks[--c->nr_walks];
}

/* The deepest cached table on the path of va; NULL: start at CR3. */
static const struct walk_entry *cached_walk(const struct model_cpu *c, u64 va)
{
	const struct walk_entry *best = NULL;
	unsigned i;

	for (i = 0; i < c->nr_walks; i++) {
		const struct walk_entry *w = &c->walks[i];

		if (w->pcid == pcid_of(c) && (va & 0x0000ffffffffffff) >> (w->shift + 9) == w->prefix && (!best || w->shift < best->shift))
			best = w;
	}
	return best;
}

static void cache_walk(struct model_cpu *c, u64 va, u8 shift, u64 table, u64 root)
{
	struct walk_entry w = { (va & 0x0000ffffffffffff) >> (shift + 9), shift, pcid_of(c), table, root };
	unsigned i;

	for (i = 0; i < c->nr_walks; i++)
		if (c->walks[i].prefix == w.prefix && c->walks[i].shift == w.shift && c->walks[i].pcid == w.pcid)
			return;
	if (c->nr_walks < WALK_ENTRIES)
		c->walks[c->nr_walks++] = w;
}

/* An entry of a table, with A set by the walker as a locked operation would. */
static u64 read_entry(u64 table, unsigned index, u64 **slot, unsigned cpu, u64 va)
{
	if (table + PAGE > ARENA_BYTES)
		violation("O-TABLE", "CPU %u walks 0x%llx outside memory for 0x%llx", cpu, (unsigned long long)table, (unsigned long long)va);
	if (!oracle_frame_is_table(table))
		violation("O-TABLE", "CPU %u walks frame 0x%llx, which is no table now, for 0x%llx", cpu, (unsigned long long)table,
			  (unsigned long long)va);
	*slot = (u64 *)(ARENA + table) + index;
	if ((**slot & (PTE_P | PTE_A)) == PTE_P) {
		arena_touch(table);
		**slot |= PTE_A;
	}
	return **slot;
}

/* Rules 1, 2, 4. False: a not-present entry is on the path (nothing is cached of it). */
static bool walk(struct model_cpu *c, u64 va, struct tlb_entry *out)
{
	unsigned cpu = c - model.cpu;
	const struct walk_entry *from = cached_walk(c, va);
	u64 root = c->cr3 & CR3_ADDR, table = from ? from->table : root, entry, *slot;
	int shift = from ? from->shift : 39;
	bool write = true, user = true;

	for (;; shift -= 9) {
		entry = read_entry(table, va >> shift & 511, &slot, cpu, va);
		if (!(entry & PTE_P))
			return false;
		write &= !!(entry & PTE_W);
		user &= !!(entry & PTE_U);
		if (shift == 12 || (shift <= 30 && (entry & PTE_PS)))
			break;
		table = entry & PTE_ADDR;
		cache_walk(c, va, shift - 9, table, root);
	}
	*out = (struct tlb_entry){
		.page = (va & 0x0000ffffffffffff) >> shift,
		.shift = shift,
		.global = entry & PTE_G && c->cr4 & PGE,
		.write = write,
		.user = user,
		.dirty = entry & PTE_D,
		.pcid = pcid_of(c),
		.pa = entry & PTE_ADDR & ~((1ull << shift) - 1),
		.root = root,
		.slot = slot,
		.pte = entry,
		.frame_gen = oracle_frame_gen(entry & PTE_ADDR),
	};
	return true;
}

static struct tlb_entry *keep(struct model_cpu *c, const struct tlb_entry *e)
{
	if (c->nr_tlb == TLB_ENTRIES)
		drop_tlb(c, 0); /* the model's limit, not a freedom */
	c->tlb[c->nr_tlb] = *e;
	model.seen.fills++;
	return &c->tlb[c->nr_tlb++];
}

void tlb_spontaneous(unsigned cpu, u64 va)
{
	struct model_cpu *c = &model.cpu[cpu];
	struct tlb_entry e;

	if (find(c, va) || !walk(c, va, &e))
		return;
	e.speculative = true;
	keep(c, &e);
	model.seen.speculative_fills++;
}

/* Rule 9: a page fault drops what the current PCID has for the address. */
static struct model_access page_fault(struct model_cpu *c, u64 va, bool *again, bool store)
{
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++)
		if (covers(&c->tlb[i], va) && !c->tlb[i].global && c->tlb[i].pcid == pcid_of(c))
			drop_tlb(c, i--);
	c->cr2 = va;
	model.seen.faults++;
	*again = oracle_fault(va, store);
	return (struct model_access){ .fault = true };
}

/* What the tables under `root` say of va now, read without any effect; 0: nothing. */
static u64 tables_say(u64 root, u64 va)
{
	u64 table = root;
	int shift;

	for (shift = 39;; shift -= 9) {
		u64 entry = ((const u64 *)(ARENA + table))[va >> shift & 511];

		if (!(entry & PTE_P) || shift == 12 || (shift <= 30 && (entry & PTE_PS)))
			return entry & PTE_P ? entry : 0;
		table = entry & PTE_ADDR;
		if (table + PAGE > ARENA_BYTES)
			return 0;
	}
}

/* An architectural use of e. */
static void check_use(const struct tlb_entry *e, u64 va)
{
	u64 now = tables_say(e->root, va);

	if (e->illegal_since)
		violation("O-STALE", "CPU %u uses a translation of 0x%llx to frame 0x%llx, %s at step %llu's promise; entry then 0x%llx, now 0x%llx%s",
			  model.current, (unsigned long long)va, (unsigned long long)e->pa, "dead", (unsigned long long)e->illegal_since,
			  (unsigned long long)e->pte, (unsigned long long)now, e->speculative ? " (filled by speculation)" : "");
	if (oracle_frame_gen(e->pa) != e->frame_gen || !oracle_frame_is_data(e->pa))
		violation("O-FRAME", "CPU %u uses a translation of 0x%llx to frame 0x%llx, which has been freed since", model.current,
			  (unsigned long long)va, (unsigned long long)e->pa);
	if (((now ^ e->pte) & ~(PTE_A | PTE_D)) != 0)
		model.seen.stale_legal++;
}

struct model_access tlb_access(u64 va, bool store, u64 value)
{
	struct model_cpu *c = self();
	struct tlb_entry fresh, *e;
	bool again;

	for (;;) {
		struct model_access a;
		u64 *at;

		model_step(store ? "store" : "load", va, value);
		if (!CANONICAL(va))
			return (struct model_access){ .fault = true };
		e = find(c, va);
		/* Rule 2: a store through an entry cached with D = 0 walks again, and sets D. */
		if (e && store && e->write && !e->dirty) {
			drop_tlb(c, e - c->tlb);
			e = NULL;
		}
		if (!e && walk(c, va, &fresh) && (!store || fresh.write)) {
			if (store && !fresh.dirty) {
				arena_touch((u64)((u8 *)fresh.slot - ARENA));
				*fresh.slot |= PTE_D;
				fresh.pte |= PTE_D;
				fresh.dirty = true;
			}
			e = keep(c, &fresh);
		}
		if (e && (!store || e->write)) {
			check_use(e, va);
			at = (u64 *)(ARENA + e->pa + (va & ((1ull << e->shift) - 1)));
			if (store) {
				arena_touch((u64)((u8 *)at - ARENA));
				*at = value;
			}
			return (struct model_access){ .value = *at };
		}
		a = page_fault(c, va, &again, store);
		if (!again)
			return a;
	}
}

/* Rule 6. */
void tlb_invlpg(u64 va)
{
	struct model_cpu *c = self();
	unsigned i;

	if (!CANONICAL(va))
		return;
	for (i = 0; i < c->nr_tlb; i++)
		if (covers(&c->tlb[i], va) && (c->tlb[i].global || c->tlb[i].pcid == pcid_of(c)))
			drop_tlb(c, i--);
	drop_walks(c, false, pcid_of(c));
}

/* Rule 7; type 0..3. Faults are the caller's. */
void tlb_invpcid(unsigned type, u16 pcid, u64 va)
{
	struct model_cpu *c = self();
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++) {
		const struct tlb_entry *e = &c->tlb[i];
		bool hit = type == 2 || (type == 3 && !e->global) || (type == 1 && !e->global && e->pcid == pcid) ||
			   (type == 0 && !e->global && e->pcid == pcid && covers(e, va));

		if (hit)
			drop_tlb(c, i--);
	}
	drop_walks(c, type >= 2, pcid);
}

/* Rule 8. */
void tlb_write_cr3(u64 value)
{
	struct model_cpu *c = self();
	bool keep_all = (c->cr4 & PCIDE) && value >> 63;
	unsigned i;

	c->cr3 = value & ~(1ull << 63);
	if (keep_all)
		return;
	for (i = 0; i < c->nr_tlb; i++)
		if (!c->tlb[i].global && c->tlb[i].pcid == pcid_of(c))
			drop_tlb(c, i--);
	drop_walks(c, false, pcid_of(c));
}

/* Rule 9. */
void tlb_write_cr4(u64 value)
{
	struct model_cpu *c = self();

	if (((c->cr4 ^ value) & PGE) || (c->cr4 & ~value & PCIDE))
		c->nr_tlb = c->nr_walks = 0;
	c->cr4 = value;
}

/* Calls fn for each entry of any CPU that lies in [start, end) of the mm with this root (or is in any mm, for a kernel range). */
static void each_entry(u64 root, u64 start, u64 end, bool kernel, u64 bit, void (*fn)(struct tlb_entry *e, u64 va, u64 bit))
{
	unsigned cpu, i;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		for (i = 0; i < model.cpu[cpu].nr_tlb; i++) {
			struct tlb_entry *e = &model.cpu[cpu].tlb[i];
			u64 va = (u64)((s64)(e->page << e->shift << 16) >> 16);

			if ((kernel || e->root == root) && va < end && va + (1ull << e->shift) > start)
				fn(e, va, bit);
		}
	}
}

static void condemn(struct tlb_entry *e, u64 va, u64 bit)
{
	u64 now = tables_say(e->root, va);

	if ((e->pte & ~now & (PTE_P | PTE_W | PTE_U)) || ((e->pte ^ now) & PTE_ADDR))
		e->condemned |= bit;
}

static void execute(struct tlb_entry *e, u64 va, u64 bit)
{
	(void)va;
	if ((e->condemned & bit) && !e->illegal_since)
		e->illegal_since = model.step;
	e->condemned &= ~bit;
}

void tlb_condemn(u64 root, u64 start, u64 end, bool kernel)
{
	each_entry(root, start, end, kernel, 1ull << (model.current % 64), condemn);
}

void tlb_promise(u64 root, u64 start, u64 end, bool kernel)
{
	each_entry(root, start, end, kernel, 1ull << (model.current % 64), execute);
}
