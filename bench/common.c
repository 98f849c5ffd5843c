/* SPDX-License-Identifier: BSD-2-Clause */
/* What several benchmarks need. No state. */
#include "bench/common.h"
#include "machine.h"

#define RESERVE 2048 /* frames for tables and per-CPU caches */

void bench_make_room(u64 pages)
{
	if (frames_free_now() < pages + RESERVE)
		strategy_settle();
}
