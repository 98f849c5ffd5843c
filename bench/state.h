/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the benchmarks and tests in struct machine. */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include "arch/atomic.h"
#include "types.h"

struct bench_state {
	unsigned strategies_max; /* what there is room for */
	u64 *samples; /* samples_max for each strategy: of the cell under way, in ticks */
	u64 samples_max; /* repeat= */
	u64 *counted; /* [strategy][cpu][MAX_COUNTERS]: of the cell under way */
	u64 random; /* state of the generator, from seed= */
	const char *running; /* benchmark or test under way, for reports */
	u64 total; /* cells, for progress lines */
	struct word shared __attribute__((aligned(64))); /* benchmark "insn": on a line of its own, which all CPUs want */
};

#endif
