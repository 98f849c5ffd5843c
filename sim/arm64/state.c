/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm64's part of a state (sim/state_model.c). Times are numbers of writes, which grow for ever; of them only that counts which can
 * make a difference: an old value that some CPU may read yet, and how what a CPU has done lies to it. So writes that are before
 * every CPU's floor are left out, as are those to words of one CPU's own, which it has seen itself (reduce_private()); times become
 * ranks among the writes that stay, epochs ranks among the stores of a buffer, slots of late stores their order. That is exact as
 * long as nothing that may be read falls behind the horizon; where it would, the search gives up. No state.
 */
#include <string.h>

#include "sim/arm64/arm64.h"
#include "sim/exhaust_node.h"
#include "sim/hash.h"
#include "sim/reduce.h"

struct ranks {
	u64 kept[WRITES]; /* numbers of the writes that stay, in order */
	unsigned nr_kept;
	unsigned slot[LATE]; /* late stores, oldest first */
	unsigned nr_late;
	u64 lowest; /* floor of all CPUs */
};

static void order_late(struct ranks *r)
{
	unsigned i, j;

	for (i = 0; i < LATE; i++) {
		if (!model.isa.late[i].at)
			continue;
		for (j = r->nr_late++; j > 0 && model.isa.late[r->slot[j - 1]].time > model.isa.late[i].time; j--)
			r->slot[j] = r->slot[j - 1];
		r->slot[j] = i;
	}
}

static void choose_writes(struct ranks *r)
{
	u64 w;
	unsigned cpu;

	r->lowest = model.isa.time;
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (model.cpu[cpu].isa.floor < r->lowest)
			r->lowest = model.cpu[cpu].isa.floor;
	for (w = r->lowest + 1; w <= model.isa.time && r->lowest >= memory_horizon(); w++)
		if (!reduce_private(model.isa.writes[w % WRITES].at))
			r->kept[r->nr_kept++] = w;
}

static u64 rank(const struct ranks *r, u64 time)
{
	unsigned n = r->nr_kept;

	while (n && r->kept[n - 1] > time)
		n--;
	return n;
}

static u64 known(const struct ranks *r, u64 mask)
{
	u64 out = 0;
	unsigned i;

	for (i = 0; i < r->nr_late; i++)
		out |= (mask >> r->slot[i] & 1) << i;
	return out;
}

/* Nobody reads what was there before; who reads what is there now still learns what its writer knew. */
static u64 hash_settled(const struct ranks *r)
{
	u64 w, later, sum = 0;

	for (w = r->lowest; w > memory_horizon(); w--) {
		const struct write *write = &model.isa.writes[w % WRITES];

		if (!known(r, write->known))
			continue;
		for (later = w + 1; later <= model.isa.time && model.isa.writes[later % WRITES].at != write->at; later++)
			;
		if (later > model.isa.time)
			sum += hash_mix((u64)write->at, known(r, write->known));
	}
	return sum;
}

static u64 hash_writes(const struct ranks *r)
{
	u64 h = hash_settled(r);
	unsigned i;

	for (i = 0; i < r->nr_kept; i++) {
		const struct write *w = &model.isa.writes[r->kept[i] % WRITES];

		h = hash_mix(hash_mix(h, (u64)w->at), hash_mix(w->old, known(r, w->known)));
	}
	for (i = 0; i < r->nr_late; i++) {
		const struct late *l = &model.isa.late[r->slot[i]];

		h = hash_mix(hash_mix(h, (u64)l->at), hash_mix(l->old, l->by));
	}
	return h;
}

static u64 hash_stores(const struct isa_cpu *c, u64 h)
{
	unsigned i, epoch = 0;

	for (i = 0; i < c->nr_stores; i++) {
		const struct store *s = &c->stores[i];

		epoch += i && s->epoch != c->stores[i - 1].epoch;
		h = hash_mix(hash_mix(h, (u64)s->at), hash_mix(s->value, epoch << 1 | s->release));
	}
	return hash_mix(h, c->nr_stores && c->stores[c->nr_stores - 1].epoch != c->epoch);
}

/* What is before the floor orders nothing. */
static u64 hash_order(const struct ranks *r, const struct isa_cpu *c, u64 h)
{
	u64 sum = 0;
	unsigned i;

	h = hash_mix(hash_mix(h, rank(r, c->floor)), hash_mix(rank(r, c->done), rank(r, c->released)));
	for (i = 0; i < c->nr_seen; i++)
		if (c->seen[i].time > c->floor)
			sum += hash_mix((u64)c->seen[i].at, rank(r, c->seen[i].time));
	for (i = 0; i < c->nr_dependencies; i++)
		h = hash_mix(hash_mix(h, c->dependency[i].value), rank(r, c->dependency[i].time));
	return hash_mix(h, sum);
}

static u64 hash_roots(const struct isa_cpu *c, u64 h)
{
	h = hash_bytes(c->ttbr0, c->nr_ttbr0 * sizeof(c->ttbr0[0]), h);
	h = hash_bytes(c->root_gen, c->nr_ttbr0 * sizeof(c->root_gen[0]), h);
	return hash_mix(hash_mix(h, c->ttbr1), hash_mix(c->ttbr1_gen, c->issued));
}

/* TLBIs by number: more states than there need be. */
static u64 hash_by_address(const struct isa_cpu *c, u64 h)
{
	h = hash_bytes(c->by_address, c->nr_by_address * sizeof(c->by_address[0]), h);
	return hash_bytes(c->past, sizeof(c->past), hash_mix(h, c->nr_past));
}

u64 isa_state(void)
{
	struct ranks r = { .nr_kept = 0 };
	unsigned cpu;
	u64 h;

	choose_writes(&r);
	if (r.lowest < memory_horizon())
		search_give_up("a CPU may still read what memory was more than 128 writes ago");
	order_late(&r);
	h = hash_writes(&r);
	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		const struct isa_cpu *c = &model.cpu[cpu].isa;

		h = hash_stores(c, hash_mix(h, known(&r, c->known)));
		h = hash_order(&r, c, h);
		h = hash_roots(c, h);
		if (model.features & HAS_BY_ADDRESS)
			h = hash_by_address(c, h);
		if (c->held.on)
			search_give_up("when a store of knob late-store is performed is no decision of the search");
	}
	return h;
}

/* Stores in the buffer that a load lets go first. */
bool isa_load_drains(unsigned cpu, bool acquire)
{
	const struct isa_cpu *c = &model.cpu[cpu].isa;
	unsigned i;

	for (i = 0; i < c->nr_stores; i++)
		if (c->stores[i].epoch != c->epoch || (acquire && c->stores[i].release))
			return true;
	return false;
}
