/* SPDX-License-Identifier: BSD-2-Clause */
/* Order statistics of samples; no floating point, no allocation. */
#ifndef LIB_STATS_H
#define LIB_STATS_H

#include "types.h"

struct stats {
	u64 n, min, p50, p90, p99, max;
};

/* Sorts samples[] in place. pQ is the smallest sample such that at least Q % are <= it (nearest rank); all 0 for n = 0. */
struct stats stats_of(u64 *samples, size_t n);

/* xorshift64*; state must not be 0 (0 is replaced). Reproducible shuffles, not secrets. */
u64 random_next(u64 *state);
u64 random_below(u64 *state, u64 n); /* 0..n-1, n > 0 */

#endif
