/* SPDX-License-Identifier: BSD-2-Clause */
/* What several benchmarks need. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include "bench.h"

/*
 * Makes sure that about `pages` frames can be had: strategies that hold freed frames back (completion quarantine) release them, at the cost of a full
 * flush everywhere. Unmeasured; may be called by any CPU that has no gather open.
 */
void bench_make_room(u64 pages);

#endif
