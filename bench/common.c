/* SPDX-License-Identifier: BSD-2-Clause */
/* What several benchmarks need. No state. */
#include "bench/common.h"
#include "machine.h"

void bench_make_room(void)
{
	if (this_cpu()->quarantine.n > machine.mm.frames.total_small / 2)
		strategy_settle();
}
