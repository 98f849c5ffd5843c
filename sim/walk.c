/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page walks through tables of four levels and 512 entries: rules 1, 2, 4; 19, 20. Owns the walk caches of each CPU, all levels,
 * which are always used at the deepest level that they have: a walk that starts lower reads staler tables. Nothing is ever evicted
 * (an eviction can only hide a bug). O-TABLE watches every table that is read, on behalf of whatever access or speculation.
 */
#include "sim/oracle.h"
#include "sim/tlb.h"

#define ROOT_SHIFT 39

bool walk_usable(const struct model_cpu *c, const struct walk_entry *w, u64 va)
{
	return w->tag == isa_tag(c) && va >> (w->shift + 9) == w->prefix;
}

/* The deepest cached table on the path of va; NULL: start at the root. */
static const struct walk_entry *cached_walk(const struct model_cpu *c, u64 va)
{
	const struct walk_entry *best = NULL;
	unsigned i;

	for (i = 0; i < c->nr_walks; i++) {
		const struct walk_entry *w = &c->walks[i];

		if (walk_usable(c, w, va) && (!best || w->shift < best->shift))
			best = w;
	}
	return best;
}

/* Rule 1: the key is the upper part of va and the tag, never "global". */
void walk_keep(struct model_cpu *c, const struct walk_entry *w)
{
	unsigned i;

	for (i = 0; i < c->nr_walks; i++)
		if (c->walks[i].prefix == w->prefix && c->walks[i].shift == w->shift && c->walks[i].tag == w->tag)
			return;
	if (c->nr_walks < WALK_ENTRIES)
		c->walks[c->nr_walks++] = *w;
}

static void cache_walk(struct model_cpu *c, u64 va, const struct walk_entry *found)
{
	struct walk_entry w = *found;

	w.prefix = va >> (found->shift + 9);
	w.tag = isa_tag(c);
	w.common = isa_common(c, va);
	w.foreign = false;
	w.hidden = 0;
	walk_keep(c, &w);
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

static void make_entry(const struct model_cpu *c, u64 va, const struct walk_entry *at, const struct entry_read *read,
		       const struct decoded *leaf, struct tlb_entry *out)
{
	u8 shift = at->shift, kept = shift, more;
	bool torn = false;

	/* Rule 3: a large page may be cached in pieces of 4K; rule 28: contiguous ones as one. */
	if (shift > 12 && model_choose(2))
		kept = 12;
	else if (!read->old && (more = (u8)isa_contiguous(read, shift, &torn)) && model_choose(2))
		kept += more;
	*out = (struct tlb_entry){
		.page = va >> kept,
		.shift = kept,
		.page_shift = shift,
		.global = leaf->global,
		.write = at->write,
		.user = at->user,
		.dirty = leaf->dirty,
		.tag = isa_tag(c),
		.common = isa_common(c, va),
		.torn = torn && kept > shift,
		.pa = (leaf->pa + (va & ((1ull << shift) - 1))) & ~((1ull << kept) - 1),
		.root = isa_root(c, va),
		.slot = read->slot,
		.pte = read->entry,
		.late_by = at->late_by,
	};
	out->frame_gen = read->old ? read->gen : tlb_frames_gen(out);
}

/* Where a walk for va begins: rule 4. */
static struct walk_entry first_table(const struct model_cpu *c, u64 va)
{
	const struct walk_entry *cached = cached_walk(c, va);
	u64 root = isa_root(c, va);

	if (!cached)
		return (struct walk_entry){
			.shift = ROOT_SHIFT, .write = true, .user = true, .table = root, .root = root,
			.table_gen = isa_root_gen(c, va),
		};
	if (cached->root != root && oracle_on("O-XMM"))
		violation("O-XMM", "CPU %u walks for 0x%llx under root 0x%llx with a cached table of root 0x%llx",
			  (unsigned)(c - model.cpu), (llu)va, (llu)root, (llu)cached->root);
	return *cached;
}

bool tlb_walk(struct model_cpu *c, u64 va, struct tlb_entry *out)
{
	struct walk_entry at = first_table(c, va);
	struct entry_read read;
	struct decoded d;

	for (;;) {
		if (!check_table(c, &at, va))
			return false;
		read = isa_read_entry(c, at.table, va, at.shift);
		if (read.late_by)
			at.late_by = read.late_by;
		d = isa_decode(c, read.entry, at.shift);
		if (d.kind == NOTHING)
			return false;
		at.write &= d.write;
		at.user &= d.user;
		if (d.kind == LEAF)
			break;
		at.table = d.pa;
		at.table_gen = read.old ? read.gen : oracle_frame_gen(at.table);
		at.shift -= 9;
		cache_walk(c, va, &at);
	}
	make_entry(c, va, &at, &read, &d, out);
	return true;
}

struct mapping tlb_tables_say(u64 root, u64 va)
{
	struct mapping m = { .write = true, .user = true };
	u64 table = root;
	unsigned shift;

	for (shift = ROOT_SHIFT; table + PAGE <= ARENA_BYTES; shift -= 9) {
		u64 entry = ((const u64 *)(ARENA + table))[va >> shift & 511];
		struct decoded d = isa_decode(NULL, entry, shift);

		if (d.kind == NOTHING)
			break;
		m.write &= d.write;
		m.user &= d.user;
		if (d.kind == LEAF) {
			m.entry = entry;
			m.page = d.pa;
			m.shift = (u8)shift;
			return m;
		}
		table = d.pa;
	}
	return (struct mapping){ 0 };
}
