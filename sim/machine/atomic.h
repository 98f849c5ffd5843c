/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared words in the simulator: each access is a step in which others may go first. Their order is the ISA's. */
#ifndef MACHINE_ATOMIC_H
#define MACHINE_ATOMIC_H

#include <machine/primitives.h>

static inline u64 load_relaxed(const struct word *w)
{
	return sim_load(&w->raw);
}

static inline u64 load_acquire(const struct word *w)
{
	return sim_load_acquire(&w->raw);
}

static inline void store_relaxed(struct word *w, u64 value)
{
	sim_store(&w->raw, value);
}

static inline void store_release(struct word *w, u64 value)
{
	sim_store_release(&w->raw, value);
}

static inline u64 add_full(struct word *w, u64 n)
{
	return sim_add(&w->raw, n);
}

static inline u64 or_full(struct word *w, u64 bits)
{
	return sim_or(&w->raw, bits);
}

static inline u64 and_full(struct word *w, u64 bits)
{
	return sim_and(&w->raw, bits);
}

static inline u64 xchg_full(struct word *w, u64 value)
{
	return sim_xchg(&w->raw, value);
}

static inline bool cas_full(struct word *w, u64 expected, u64 value)
{
	return sim_cas(&w->raw, expected, value);
}

static inline bool cas_relaxed(struct word *w, u64 expected, u64 value)
{
	return sim_cas_relaxed(&w->raw, expected, value);
}

static inline bool cas_release(struct word *w, u64 expected, u64 value)
{
	return sim_cas(&w->raw, expected, value);
}

static inline void barrier_full(void)
{
	sim_fence();
}

/* Statistics are not part of any protocol: no step, no buffer. */
static inline void add_owner(struct word *w, u64 n)
{
	w->raw += n;
}

#endif
