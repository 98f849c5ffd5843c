/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page walks of x86 (SDM vol. 3A 4.5, 4.10.2, 4.10.3; APM vol. 2 5.3, 5.5): rules 1, 2, 4. Owns the walk caches of each CPU, all
 * levels, which are always used at the deepest level that they have: a walk that starts lower reads staler tables. Nothing is ever
 * evicted (an eviction can only hide a bug). O-TABLE watches every table that is read, on behalf of whatever access or speculation.
 */
#include "sim/oracle.h"
#include "sim/x86/tlb.h"

#define RESERVED_ADDR (PTE_ADDR & ~((1ull << 46) - 1)) /* MAXPHYADDR is 46 */

u16 tlb_pcid(const struct model_cpu *c)
{
	return c->cr4 & MODEL_PCIDE ? c->cr3 & 0xfff : 0;
}

bool tlb_covers(const struct tlb_entry *e, u64 va)
{
	return (va & VA_BITS) >> e->shift == e->page;
}

/* The deepest cached table on the path of va; NULL: start at CR3. */
static const struct walk_entry *cached_walk(const struct model_cpu *c, u64 va)
{
	const struct walk_entry *best = NULL;
	u16 pcid = tlb_pcid(c);
	unsigned i;

	for (i = 0; i < c->nr_walks; i++) {
		const struct walk_entry *w = &c->walks[i];

		if (w->pcid == pcid && (va & VA_BITS) >> (w->shift + 9) == w->prefix && (!best || w->shift < best->shift))
			best = w;
	}
	return best;
}

/* Rule 1: the key is the upper part of va and the PCID, never "global". */
static void cache_walk(struct model_cpu *c, u64 va, const struct walk_entry *found)
{
	struct walk_entry *w;
	unsigned i;

	for (i = 0; i < c->nr_walks; i++) {
		w = &c->walks[i];
		if (w->prefix == (va & VA_BITS) >> (found->shift + 9) && w->shift == found->shift && w->pcid == tlb_pcid(c))
			return;
	}
	if (c->nr_walks == WALK_ENTRIES)
		return;
	w = &c->walks[c->nr_walks++];
	*w = *found;
	w->prefix = (va & VA_BITS) >> (found->shift + 9);
	w->pcid = tlb_pcid(c);
}

/* The table at hand is one still, and the one that was meant. */
static bool check_table(const struct model_cpu *c, const struct walk_entry *at, u64 va)
{
	unsigned cpu = (unsigned)(c - model.cpu);
	bool outside = at->table + PAGE > ARENA_BYTES;

	if (oracle_on("O-TABLE")) {
		if (outside)
			violation("O-TABLE", "CPU %u walks 0x%llx outside memory for 0x%llx", cpu, (llu)at->table, (llu)va);
		if (!oracle_frame_is_table(at->table))
			violation("O-TABLE", "CPU %u walks frame 0x%llx, which is no table now, for 0x%llx", cpu, (llu)at->table,
				  (llu)va);
		if (oracle_frame_gen(at->table) != at->table_gen)
			violation("O-TABLE", "CPU %u walks frame 0x%llx for 0x%llx, which has been freed and is another table now",
				  cpu, (llu)at->table, (llu)va);
	}
	return !outside;
}

/* Rule 2: A is set by the walker, as a locked operation would, before anything is cached of the entry; on speculative walks too. */
static u64 read_entry(u64 table, unsigned index, u64 **slot)
{
	*slot = (u64 *)(ARENA + table) + index;
	if ((**slot & (PTE_P | PTE_A)) == PTE_P) {
		arena_touch(table);
		**slot |= PTE_A;
	}
	return **slot;
}

/* SDM vol. 3A 4.5.4, table 4-15ff: a set reserved bit is a fault, and nothing is cached. */
static bool reserved(u64 entry, int shift)
{
	bool leaf = shift == 12 || (shift <= 30 && (entry & PTE_PS));

	if (entry & RESERVED_ADDR)
		return true;
	if (shift == 39 && (entry & PTE_PS))
		return true;
	/* Bit 12 is PAT in a large page. */
	return leaf && (entry & PTE_ADDR & ((1ull << shift) - 1) & ~(1ull << 12));
}

static void make_entry(const struct model_cpu *c, u64 va, const struct walk_entry *at, u64 *slot, u64 entry, struct tlb_entry *out)
{
	u8 shift = at->shift, kept = shift;
	u64 page = entry & PTE_ADDR & ~((1ull << shift) - 1);

	/* Rule 3: a large page may be cached in pieces of 4K. */
	if (shift > 12 && model_choose(2))
		kept = 12;
	*out = (struct tlb_entry){
		.page = (va & VA_BITS) >> kept,
		.shift = kept,
		.page_shift = shift,
		.global = entry & PTE_G && c->cr4 & MODEL_PGE,
		.write = at->write,
		.user = at->user,
		.dirty = entry & PTE_D,
		.pcid = tlb_pcid(c),
		.pa = page + (va & ((1ull << shift) - 1) & ~((1ull << kept) - 1)),
		.root = c->cr3 & PTE_ADDR,
		.slot = slot,
		.pte = (entry & ~(PTE_W | PTE_U)) | (at->write ? PTE_W : 0) | (at->user ? PTE_U : 0),
		.frame_gen = oracle_frame_gen(page),
	};
}

/* Where a walk for va begins: rule 4. */
static struct walk_entry first_table(const struct model_cpu *c, u64 va)
{
	const struct walk_entry *cached = cached_walk(c, va);
	u64 root = c->cr3 & PTE_ADDR;

	if (!cached)
		return (struct walk_entry){
			.shift = 39, .write = true, .user = true, .table = root, .table_gen = c->root_gen, .root = root
		};
	if (cached->root != root && oracle_on("O-XMM"))
		violation("O-XMM", "CPU %u walks for 0x%llx under root 0x%llx with a cached table of root 0x%llx",
			  (unsigned)(c - model.cpu), (llu)va, (llu)root, (llu)cached->root);
	return *cached;
}

bool tlb_walk(struct model_cpu *c, u64 va, struct tlb_entry *out)
{
	struct walk_entry at = first_table(c, va);
	u64 entry, *slot;

	for (;;) {
		if (!check_table(c, &at, va))
			return false;
		entry = read_entry(at.table, va >> at.shift & 511, &slot);
		if (!(entry & PTE_P) || reserved(entry, at.shift))
			return false;
		at.write &= !!(entry & PTE_W);
		at.user &= !!(entry & PTE_U);
		if (at.shift == 12 || (entry & PTE_PS))
			break;
		at.table = entry & PTE_ADDR;
		at.table_gen = oracle_frame_gen(at.table);
		at.shift -= 9;
		cache_walk(c, va, &at);
	}
	make_entry(c, va, &at, slot, entry, out);
	return true;
}

u64 tlb_tables_say(u64 root, u64 va)
{
	u64 table = root, rights = PTE_W | PTE_U;
	int shift;

	for (shift = 39; table + PAGE <= ARENA_BYTES; shift -= 9) {
		u64 entry = ((const u64 *)(ARENA + table))[va >> shift & 511];

		if (!(entry & PTE_P) || reserved(entry, shift))
			return 0;
		rights &= entry;
		if (shift == 12 || (entry & PTE_PS))
			return (entry & ~(PTE_W | PTE_U)) | rights;
		table = entry & PTE_ADDR;
	}
	return 0;
}
