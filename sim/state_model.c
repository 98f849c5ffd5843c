/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model's part of a state (exhaust.c). What is left out must not matter to what follows: numbers of steps (they are only shown,
 * or tell 0 from not 0), priorities, logs, coverage, order where nothing depends on it.
 */
#include <stddef.h>

#include "sim/choose.h"
#include "sim/hash.h"
#include "sim/reduce.h"
#include "sim/state.h"

/* A field more? See below whether it is hashed, then correct the number. */
_Static_assert(sizeof(struct model_cpu) - sizeof(struct isa_cpu) == 10696, "struct model_cpu has changed: is that hashed here?");

static u64 hash_tlb(const struct model_cpu *c, u64 h)
{
	struct tlb_entry e;
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++) {
		e = c->tlb[i];
		e.illegal_since = e.illegal_since != 0;
		e.promised_by = 0;
		e.speculative = false; /* shown only */
		h = hash_bytes(&e, sizeof(e), h);
	}
	return h;
}

static u64 hash_stale(const struct model_cpu *c, u64 h)
{
	struct stale_range r;
	unsigned i;

	for (i = 0; i < c->nr_stale; i++) {
		r = c->stale[i];
		r.promised = r.promised != 0;
		h = hash_bytes(&r, sizeof(r), h);
	}
	return hash_mix(h, c->stale_lost);
}

/* No two have the same key, so their order does not matter. */
static u64 hash_walks(const struct model_cpu *c)
{
	u64 sum = 0;
	unsigned i;

	for (i = 0; i < c->nr_walks; i++)
		sum += hash_bytes(&c->walks[i], sizeof(c->walks[i]), 3);
	return sum;
}

static u64 hash_stack(unsigned cpu, u64 h)
{
	char *top, *sp = sched_stack(cpu, &top);

	return hash_bytes(sp, (size_t)(top - sp), h);
}

static u64 hash_cpu(unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];
	const u64 plain[] = { c->state, (u64)(c->state == CPU_BLOCKED ? c->wait_word : NULL),
			      c->state == CPU_BLOCKED ? c->wait_seen : 0, c->arrivals != c->wait_arrivals, c->irq_on, c->in_handler,
			      c->pending, c->nr_tlb };
	u64 h = hash_bytes(plain, sizeof(plain), cpu);

	h = hash_bytes(&c->closing, sizeof(c->closing), h);
	h = hash_tlb(c, h);
	h = hash_mix(h, hash_walks(c));
	h = hash_bytes(c->tags, c->nr_tags * sizeof(c->tags[0]), h);
	h = hash_stale(c, h);
	return hash_stack(cpu, h);
}

u64 state_of_model(void)
{
	u64 h = isa_state(), sum = 0;
	unsigned i;

	for (i = 0; i < model.nr_cpus; i++)
		h = hash_mix(h, hash_cpu(i));
	/* They take effect in any order. */
	for (i = 0; i < model.nr_outstanding; i++)
		sum += hash_bytes(&model.outstanding[i], sizeof(model.outstanding[i]), 5);
	return hash_mix(h, sum + model.later);
}
