/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TTBR.CnP, "common not private": what a CPU fills under it is for all CPUs that have it set, translations and walk caches, by ASID
 * or global as ever: rule 30 (Arm ARM D8.15). What others have filled may be found, or not. A TLBI takes it away from the CPUs that
 * carry it out; who filled it may keep it. Knob cnp-broken: a local one leaves what another CPU has filled. No state of its own.
 */
#include "sim/arm64/arm64.h"

static u64 bit_of(const struct model_cpu *c)
{
	return 1ull << ((unsigned)(c - model.cpu) % 64);
}

static bool for_us(const struct model_cpu *c, const struct model_cpu *other, bool common, u64 hidden)
{
	return other != c && common && !(hidden & bit_of(c));
}

void common_walks(struct model_cpu *c, u64 va)
{
	struct model_cpu *other;
	struct walk_entry *w, found;

	for (other = model.cpu; isa_common(c, va) && other < model.cpu + model.nr_cpus; other++) {
		for (w = other->walks; w < other->walks + other->nr_walks; w++) {
			if (!for_us(c, other, w->common, w->hidden) || !walk_usable(c, w, va) || !model_choose(2))
				continue;
			found = *w;
			found.foreign = true;
			walk_keep(c, &found);
		}
	}
}

struct tlb_entry *common_entry(struct model_cpu *c, u64 va)
{
	struct model_cpu *other;
	struct tlb_entry *e, found;

	for (other = model.cpu; isa_common(c, va) && other < model.cpu + model.nr_cpus; other++) {
		for (e = other->tlb; e < other->tlb + other->nr_tlb; e++) {
			if (!for_us(c, other, e->common, e->hidden) || !tlb_usable(c, e, va) || !model_choose(2))
				continue;
			found = *e;
			found.foreign = true;
			return tlb_keep(c, &found);
		}
	}
	return NULL;
}

void common_invalidate(const struct model_cpu *c, const struct invalidation *what)
{
	struct model_cpu *other;
	unsigned i;

	for (other = model.cpu; !what->spares_foreign && other < model.cpu + model.nr_cpus; other++) {
		for (i = 0; i < other->nr_tlb; i++)
			if (other->tlb[i].common && tlb_reaches(what, &other->tlb[i]))
				other->tlb[i].hidden |= bit_of(c);
		for (i = 0; i < other->nr_walks; i++)
			if (other->walks[i].common && tlb_reaches_walk(what, &other->walks[i]))
				other->walks[i].hidden |= bit_of(c);
	}
}
