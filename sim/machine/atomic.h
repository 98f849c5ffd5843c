/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared words in the simulator: each access is a step in which others may go first. Their order is the ISA's. */
#ifndef MACHINE_ATOMIC_H
#define MACHINE_ATOMIC_H

#include <machine/primitives.h>
#include <machine/race.h>

static inline u64 load_relaxed(const struct word *w)
{
	u64 value = sim_load(&w->raw);

	race_load(&w->raw, value, false);
	return value;
}

static inline u64 load_acquire(const struct word *w)
{
	u64 value = sim_load_acquire(&w->raw);

	race_load(&w->raw, value, true);
	return value;
}

static inline void store_relaxed(struct word *w, u64 value)
{
	sim_store(&w->raw, value);
	race_store(&w->raw, value, false);
}

static inline void store_release(struct word *w, u64 value)
{
	sim_store_release(&w->raw, value);
	race_store(&w->raw, value, true);
}

static inline u64 add_full(struct word *w, u64 n)
{
	u64 now = sim_add(&w->raw, n);

	race_update(&w->raw, now, true);
	return now;
}

static inline u64 or_full(struct word *w, u64 bits)
{
	u64 old = sim_or(&w->raw, bits);

	race_update(&w->raw, old | bits, true);
	return old;
}

static inline u64 and_full(struct word *w, u64 bits)
{
	u64 old = sim_and(&w->raw, bits);

	race_update(&w->raw, old & bits, true);
	return old;
}

static inline u64 xchg_full(struct word *w, u64 value)
{
	u64 old = sim_xchg(&w->raw, value);

	race_update(&w->raw, value, true);
	return old;
}

/* One that failed is a load. */
static inline bool cas_told(struct word *w, bool done, u64 value, bool full)
{
	if (done)
		race_update(&w->raw, value, full);
	else if (full)
		race_fence();
	(void)w, (void)value;
	return done;
}

static inline bool cas_full(struct word *w, u64 expected, u64 value)
{
	return cas_told(w, sim_cas(&w->raw, expected, value), value, true);
}

static inline bool cas_relaxed(struct word *w, u64 expected, u64 value)
{
	return cas_told(w, sim_cas_relaxed(&w->raw, expected, value), value, false);
}

static inline bool cas_release(struct word *w, u64 expected, u64 value)
{
	return cas_told(w, sim_cas(&w->raw, expected, value), value, true);
}

static inline void barrier_full(void)
{
	sim_fence();
	race_fence();
}

/* Statistics are not part of any protocol: no step, no buffer, and no race. */
__attribute__((no_sanitize("thread"))) static inline void add_owner(struct word *w, u64 n)
{
	w->raw += n;
}

#endif
