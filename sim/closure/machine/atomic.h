/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared words in the closure: others may go first at each access (but for some under a lock); it is made at once and in order. */
#include "sim/closure/steps.h"

static inline u64 load_relaxed(const struct word *w)
{
	closure_access(w, ACCESS_READ);
	return closure_did("reads", w, w->raw);
}

static inline u64 load_acquire(const struct word *w)
{
	return load_relaxed(w);
}

static inline void store_relaxed(struct word *w, u64 value)
{
	closure_access(w, value ? ACCESS_WRITE : ACCESS_CLEAR);
	w->raw = closure_did("stores to", w, value);
}

static inline void store_release(struct word *w, u64 value)
{
	store_relaxed(w, value);
}

static inline u64 add_full(struct word *w, u64 n)
{
	closure_access(w, ACCESS_WRITE);
	w->raw += n;
	return closure_did("adds to", w, w->raw);
}

static inline u64 or_full(struct word *w, u64 bits)
{
	u64 old;

	closure_access(w, ACCESS_WRITE);
	old = closure_did("sets bits of", w, w->raw);
	w->raw |= bits;
	return old;
}

static inline u64 and_full(struct word *w, u64 bits)
{
	u64 old;

	closure_access(w, ACCESS_WRITE);
	old = closure_did("clears bits of", w, w->raw);
	w->raw &= bits;
	return old;
}

static inline u64 xchg_full(struct word *w, u64 value)
{
	u64 old;

	closure_access(w, ACCESS_WRITE);
	old = closure_did("exchanges", w, w->raw);
	w->raw = value;
	if (!old && value)
		closure_taken(w);
	return old;
}

static inline bool cas_full(struct word *w, u64 expected, u64 value)
{
	bool equal;

	closure_access(w, ACCESS_WRITE);
	equal = closure_did("compares and swaps", w, w->raw) == expected;
	if (equal)
		w->raw = value;
	return equal;
}

static inline bool cas_relaxed(struct word *w, u64 expected, u64 value)
{
	return cas_full(w, expected, value);
}

static inline bool cas_release(struct word *w, u64 expected, u64 value)
{
	return cas_full(w, expected, value);
}

static inline void barrier_full(void)
{
}

/* Statistics are part of no protocol: no step, and not in the state. */
static inline void add_owner(struct word *w, u64 n)
{
	w->raw += n;
}
