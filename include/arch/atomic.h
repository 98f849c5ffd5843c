/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: shared words. A word that more than one CPU touches (or a CPU and its own interrupt handler) is a struct word
 * and is touched only through these functions; each states its order:
 *
 *   relaxed   atomic, no order against other words
 *   acquire   later accesses of this CPU are not performed before this load
 *   release   earlier accesses of this CPU are performed before this store
 *   full      earlier loads and stores before, later ones after; also earlier stores before later LOADS
 *
 * On x86 (TSO) acquire, release and relaxed cost the same plain access and full is a LOCKed operation or MFENCE; on arm64 they
 * are LDAR, STLR, and LSE operations with DMB ISH. The simulator makes each call a step in which others may run.
 */
#ifndef ARCH_ATOMIC_H
#define ARCH_ATOMIC_H

#include "types.h"

struct word {
	u64 raw;
};

static inline u64 load_relaxed(const struct word *w);
static inline u64 load_acquire(const struct word *w);
static inline void store_relaxed(struct word *w, u64 value);
static inline void store_release(struct word *w, u64 value);

static inline u64 add_full(struct word *w, u64 n); /* returns the NEW value */
static inline u64 or_full(struct word *w, u64 bits); /* returns the old value */
static inline u64 and_full(struct word *w, u64 bits); /* returns the old value */
static inline u64 xchg_full(struct word *w, u64 value); /* returns the old value */
static inline bool cas_full(struct word *w, u64 expected, u64 value); /* true: it was expected, now is value */
static inline bool cas_relaxed(struct word *w, u64 expected, u64 value);
static inline bool cas_release(struct word *w, u64 expected, u64 value);

static inline void barrier_full(void); /* all four orders, between any words */

/* A word that only its owner CPU writes (statistics), also in its interrupt handlers: adds without a locked operation. */
static inline void add_owner(struct word *w, u64 n);

#include <machine/atomic.h>

#endif
