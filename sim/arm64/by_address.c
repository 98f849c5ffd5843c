/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Without FEAT_nTLBPA a walker may have caches of table entries by the address that they are at, which are not coherent: rule 31.
 * What was valid there once may be read instead of what memory says, by walks for other addresses and ASIDs too, and when the table
 * has become another one, until the last relevant TLBI (Arm ARM, ID_AA64MMFR1_EL1.nTLBPA). That is taken to be one that reaches a
 * way by which this CPU has walked to it; and no walk goes by what was cached before a TLBI that reaches what is walked for. Owns
 * the parts of struct isa_cpu that are named so.
 */
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"

static struct by_address *find(struct isa_cpu *c, const u64 *slot, const struct by_address *after)
{
	struct by_address *k;

	for (k = c->by_address; k < c->by_address + c->nr_by_address; k++)
		if (k->slot == slot && (!after || k > after))
			return k;
	return NULL;
}

/* Of this way to it, the first that was seen stays. */
static void keep(struct model_cpu *c, const struct by_address *seen)
{
	struct isa_cpu *isa = &c->isa;
	struct by_address *k = NULL;

	while ((k = find(isa, seen->slot, k)))
		if (k->tag == seen->tag && k->va >> k->shift == seen->va >> seen->shift)
			return;
	if (isa->nr_by_address < BY_ADDRESS)
		isa->by_address[isa->nr_by_address++] = *seen;
}

static bool reached(const struct invalidation *what, const struct by_address *k)
{
	struct tlb_entry leaf = { .page = k->va >> k->shift, .shift = k->shift, .page_shift = k->shift, .global = k->global,
				  .tag = k->tag };
	struct walk_entry table = { .prefix = k->va >> k->shift, .shift = k->shift - 9, .tag = k->tag };

	return k->leaf ? tlb_reaches(what, &leaf) : tlb_reaches_walk(what, &table);
}

/* Of a TLBI that is too old to be known anything may be true. */
static bool invalidated(const struct isa_cpu *c, const struct by_address *k, u64 since)
{
	u64 n;

	for (n = since; n < c->nr_past; n++)
		if (c->nr_past - n > PAST || reached(&c->past[n % PAST], k))
			return true;
	return false;
}

static void check_table(const struct model_cpu *c, const struct by_address *k, u64 table)
{
	if (k->table_gen != oracle_frame_gen(table) && oracle_on("O-TABLE"))
		violation("O-TABLE", "CPU %u walks by an entry that it has cached of frame 0x%llx, which has been freed since",
			  (unsigned)(c - model.cpu), (llu)table);
}

bool by_address_read(struct model_cpu *c, u64 table, u64 va, unsigned shift, struct entry_read *read)
{
	struct by_address *k = NULL, way;

	if (!(model.features & HAS_BY_ADDRESS))
		return false;
	while ((k = find(&c->isa, read->slot, k))) {
		way = *k;
		way.va = va >> shift << shift;
		way.tag = isa_tag(c);
		way.shift = (u8)shift;
		if ((k->entry == *read->slot && k->table_gen == oracle_frame_gen(table)) || invalidated(&c->isa, &way, k->since) ||
		    !model_choose(2))
			continue;
		check_table(c, k, table);
		*read = (struct entry_read){ .slot = k->slot, .entry = k->entry, .old = true, .gen = k->gen };
		keep(c, &way);
		return true;
	}
	return false;
}

void by_address_keep(struct model_cpu *c, u64 table, u64 va, unsigned shift, const struct entry_read *read)
{
	struct decoded d;
	struct by_address seen = { .slot = read->slot, .entry = read->entry, .va = va >> shift << shift, .shift = (u8)shift };

	if (!(model.features & HAS_BY_ADDRESS))
		return;
	d = isa_decode(c, read->entry, shift);
	if (d.kind == NOTHING)
		return;
	seen.tag = isa_tag(c);
	seen.leaf = d.kind == LEAF;
	seen.global = d.global;
	seen.since = c->isa.nr_past;
	seen.table_gen = oracle_frame_gen(table);
	seen.gen = oracle_frame_gen(d.pa);
	keep(c, &seen);
}

/* Whoever drops it for one of the ways to it has no other copy. */
void by_address_invalidate(struct model_cpu *c, const struct invalidation *what)
{
	struct isa_cpu *isa = &c->isa;
	u64 *slot;
	unsigned i, j;

	if (!(model.features & HAS_BY_ADDRESS))
		return;
	isa->past[isa->nr_past++ % PAST] = *what;
	for (i = 0; i < isa->nr_by_address;) {
		if (!reached(what, &isa->by_address[i])) {
			i++;
			continue;
		}
		slot = isa->by_address[i].slot;
		for (i = j = 0; j < isa->nr_by_address; j++)
			if (isa->by_address[j].slot != slot)
				isa->by_address[i++] = isa->by_address[j];
		isa->nr_by_address = i;
		i = 0;
	}
}
