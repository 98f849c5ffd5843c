/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The second O-STALE, which knows no TLB entries (the "inconsistent set" of Syeda and Klein): for each CPU and tag the addresses at
 * which it may hold what the tables no longer say. A change of the tables adds the address for every CPU that loaded the root since
 * its tag was last flushed; an invalidation on a CPU removes what it reaches; an access inside after a promise is a violation,
 * whether or not an entry is there. Runs beside the TLB, which must never see a stale use that is not in the set. Owns
 * model_cpu.tags and .stale.
 */
#include "sim/oracle.h"

static bool of_tag(const struct stale_range *r, u16 tag, u64 root)
{
	return r->global || (r->tag == tag && r->root == root);
}

static void add(struct model_cpu *c, const struct stale_range *r)
{
	if (r->start >= r->end)
		return;
	if (c->nr_stale == STALE_RANGES)
		c->stale_lost = true; /* from here on the set misses something: it never raises a false alarm */
	else
		c->stale[c->nr_stale++] = *r;
}

/* What of stale[i] lies outside [start, end) goes into ranges of its own; stale[i] is the rest. */
static void cut(struct model_cpu *c, unsigned i, u64 start, u64 end)
{
	struct stale_range before = c->stale[i], after = c->stale[i];

	before.end = start;
	after.start = end;
	if (c->stale[i].start < start) {
		c->stale[i].start = start;
		add(c, &before);
	}
	if (c->stale[i].end > end) {
		c->stale[i].end = end;
		add(c, &after);
	}
}

static bool overlap(const struct stale_range *r, u64 start, u64 end)
{
	return r->start < end && start < r->end;
}

/* A range that the same CPU's change goes on with: one unmap of many pages is one range. */
static bool extend(struct model_cpu *c, const struct stale_range *r)
{
	unsigned i;

	for (i = 0; i < c->nr_stale; i++) {
		struct stale_range *old = &c->stale[i];

		if (old->end == r->start && old->shift == r->shift && old->by == r->by && !old->condemned && !old->promised &&
		    old->global == r->global && old->tag == r->tag && old->root == r->root) {
			old->end = r->end;
			return true;
		}
	}
	return false;
}

static void change(struct model_cpu *c, struct stale_range r)
{
	if (!extend(c, &r))
		add(c, &r);
}

void stale_set_change(u64 root, u64 va, unsigned shift, bool global)
{
	u64 end = va + (1ull << shift);
	u16 by = (u16)model.current;
	struct stale_range r = { .start = va, .end = end, .shift = (u8)shift, .global = global, .by = by, .root = root };
	unsigned cpu, i;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		struct model_cpu *c = &model.cpu[cpu];

		if (global)
			change(c, r);
		for (i = 0; i < c->nr_tags && !global; i++) {
			r.tag = c->tags[i].tag;
			if (c->tags[i].root == root)
				change(c, r);
		}
	}
}

void stale_set_condemn(u64 root, u64 start, u64 end, bool kernel, u64 bit)
{
	unsigned cpu, i;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		struct model_cpu *c = &model.cpu[cpu];

		for (i = 0; i < c->nr_stale; i++) {
			if (!overlap(&c->stale[i], start, end) || (!kernel && c->stale[i].root != root))
				continue;
			cut(c, i, start, end);
			c->stale[i].condemned |= bit;
		}
	}
}

void stale_set_promise(u64 bit)
{
	unsigned cpu, i;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		for (i = 0; i < model.cpu[cpu].nr_stale; i++) {
			struct stale_range *r = &model.cpu[cpu].stale[i];

			if ((r->condemned & bit) && !r->promised)
				r->promised = model.step;
			r->condemned &= ~bit;
		}
	}
}

const struct stale_range *stale_set_find(const struct model_cpu *c, u16 tag, u64 root, u64 va)
{
	const struct stale_range *found = NULL;
	unsigned i;

	for (i = 0; i < c->nr_stale; i++) {
		const struct stale_range *r = &c->stale[i];

		if (va >= r->start && va < r->end && of_tag(r, tag, root) && (!found || r->promised))
			found = r;
	}
	return found;
}

/* --- what the TLB says --- */

void stale_set_invalidated(struct model_cpu *c, const struct invalidation *what, u16 tag, u64 root)
{
	unsigned i;

	for (i = 0; i < c->nr_stale; i++) {
		struct stale_range *r = &c->stale[i];
		u64 size = 1ull << (what->piece ? 12 : r->shift), page = what->va & ~(size - 1);
		u64 end = what->bytes ? (what->va + what->bytes + size - 1) & ~(size - 1) : page + size;

		if (r->global ? !what->globals : what->has_tag && r->tag != what->tag)
			continue;
		if ((what->has_va && !overlap(r, page, end)) || (what->leaf_shift && what->leaf_shift != r->shift))
			continue;
		if (what->has_va)
			cut(c, i, page, end);
		c->stale[i--] = c->stale[--c->nr_stale];
	}
	/* What is loaded may be filled again at once; other roots of a flushed tag can't. */
	for (i = 0; i < c->nr_tags && !what->has_va; i++) {
		const struct loaded_tag *t = &c->tags[i];

		if ((!what->has_tag || t->tag == what->tag) && !(t->tag == tag && t->root == root))
			c->tags[i--] = c->tags[--c->nr_tags];
	}
}

void stale_set_loaded(struct model_cpu *c, u16 tag, u64 root, bool flushed)
{
	unsigned i;

	for (i = 0; i < c->nr_tags; i++) {
		if (c->tags[i].tag != tag)
			continue;
		if (c->tags[i].root == root)
			return;
		if (flushed)
			c->tags[i--] = c->tags[--c->nr_tags];
	}
	if (c->nr_tags == LOADED_TAGS) {
		c->tags[0] = c->tags[--c->nr_tags];
		c->stale_lost = true;
	}
	c->tags[c->nr_tags++] = (struct loaded_tag){ tag, root };
}

bool stale_set_other_root(const struct model_cpu *c, u16 tag, u64 root)
{
	unsigned i;

	for (i = 0; i < c->nr_tags; i++)
		if (c->tags[i].tag == tag && c->tags[i].root != root)
			return true;
	return false;
}
