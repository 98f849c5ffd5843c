/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared words on arm64: LDAR, STLR, and load-exclusive/store-exclusive loops, or LSE where the compiler is told that it is there.
 *
 * Full order is a release operation with DMB ISH after it. The release half keeps what is before from passing the store, the
 * barrier keeps what is after from passing either; acquire-release alone would let a later load pass the store (Arm ARM B2.3).
 */
#ifndef MACHINE_ATOMIC_H
#define MACHINE_ATOMIC_H

#include "arch/arm64/insn.h"

static inline u64 load_relaxed(const struct word *w)
{
	return __atomic_load_n(&w->raw, __ATOMIC_RELAXED);
}

static inline u64 load_acquire(const struct word *w)
{
	return __atomic_load_n(&w->raw, __ATOMIC_ACQUIRE);
}

static inline void store_relaxed(struct word *w, u64 value)
{
	__atomic_store_n(&w->raw, value, __ATOMIC_RELAXED);
}

static inline void store_release(struct word *w, u64 value)
{
	__atomic_store_n(&w->raw, value, __ATOMIC_RELEASE);
}

static inline void barrier_full(void)
{
	dmb_ish();
}

static inline u64 add_full(struct word *w, u64 n)
{
	u64 value = __atomic_add_fetch(&w->raw, n, __ATOMIC_RELEASE);

	dmb_ish();
	return value;
}

static inline u64 or_full(struct word *w, u64 bits)
{
	u64 old = __atomic_fetch_or(&w->raw, bits, __ATOMIC_RELEASE);

	dmb_ish();
	return old;
}

static inline u64 and_full(struct word *w, u64 bits)
{
	u64 old = __atomic_fetch_and(&w->raw, bits, __ATOMIC_RELEASE);

	dmb_ish();
	return old;
}

static inline u64 xchg_full(struct word *w, u64 value)
{
	u64 old = __atomic_exchange_n(&w->raw, value, __ATOMIC_RELEASE);

	dmb_ish();
	return old;
}

/* The barrier before: one that fails stores nothing, so nothing else would order its load after what came earlier. */
static inline bool cas_full(struct word *w, u64 expected, u64 value)
{
	bool done;

	dmb_ish();
	done = __atomic_compare_exchange_n(&w->raw, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	dmb_ish();
	return done;
}

static inline bool cas_relaxed(struct word *w, u64 expected, u64 value)
{
	return __atomic_compare_exchange_n(&w->raw, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline bool cas_release(struct word *w, u64 expected, u64 value)
{
	return __atomic_compare_exchange_n(&w->raw, &expected, value, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* An exception between load and store makes the store fail, so nothing that its handler adds is lost. */
static inline void add_owner(struct word *w, u64 n)
{
	__atomic_fetch_add(&w->raw, n, __ATOMIC_RELAXED);
}

#endif
