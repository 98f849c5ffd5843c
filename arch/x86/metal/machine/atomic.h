/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared words on x86. TSO: a plain MOV load is an acquire, a plain MOV store a release; only a later load may pass an earlier
 * store, and every LOCKed operation prevents that (SDM vol. 3A 9.2.3).
 */
#ifndef MACHINE_ATOMIC_H
#define MACHINE_ATOMIC_H

#include "arch/x86/insn.h"

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

static inline u64 add_full(struct word *w, u64 n)
{
	return __atomic_add_fetch(&w->raw, n, __ATOMIC_SEQ_CST);
}

static inline u64 or_full(struct word *w, u64 bits)
{
	return __atomic_fetch_or(&w->raw, bits, __ATOMIC_SEQ_CST);
}

static inline u64 and_full(struct word *w, u64 bits)
{
	return __atomic_fetch_and(&w->raw, bits, __ATOMIC_SEQ_CST);
}

static inline u64 xchg_full(struct word *w, u64 value)
{
	return __atomic_exchange_n(&w->raw, value, __ATOMIC_SEQ_CST);
}

static inline bool cas_full(struct word *w, u64 expected, u64 value)
{
	return __atomic_compare_exchange_n(&w->raw, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* x86 has no locked operation without order. */
static inline bool cas_relaxed(struct word *w, u64 expected, u64 value)
{
	return cas_full(w, expected, value);
}

static inline bool cas_release(struct word *w, u64 expected, u64 value)
{
	return cas_full(w, expected, value);
}

/* One instruction: an interrupt comes before or after it. */
static inline void add_owner(struct word *w, u64 n)
{
	asm volatile("addq %1, %0" : "+m"(w->raw) : "er"(n));
}

/*
 * A LOCKed read-modify-write orders everything that memory order is about, and costs about half of an MFENCE, which also waits for
 * non-temporal stores and, on many Intel cores, serialises like LFENCE. Nothing here uses non-temporal stores.
 */
static inline void barrier_full(void)
{
	locked_add_stack();
}

#endif
