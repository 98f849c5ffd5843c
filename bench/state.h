/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the benchmarks and tests in struct machine. */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include "arch/atomic.h"
#include "smp/cpumask.h"
#include "task/worker.h"
#include "types.h"

/* Of one CPU that takes no part, and written by it; read when it is parked again. */
struct others_cpu {
	u64 done; /* in this round */
	u64 x; /* of a spin, or the next line */
	u64 *lines;
} __attribute__((aligned(CACHE_LINE)));

struct others_state { /* bench/others.c */
	unsigned what; /* enum others, under way */
	unsigned nr;
	struct cpumask cpus;
	struct job job;
	struct word ready, stop, failed;
	struct others_cpu *cpu; /* [nr_cpus] */
};

struct bench_state {
	unsigned strategies_max; /* what there is room for */
	u64 *samples; /* samples_max for each strategy: of the cell under way, in ticks */
	u64 samples_max; /* repeat= */
	u64 *counted; /* [strategy][cpu][MAX_COUNTERS]: of the cell under way */
	u64 random; /* state of the generator, from seed= */
	const char *running; /* benchmark or test under way, for reports */
	u64 total; /* cells, for progress lines */
	struct others_state others;
	struct word shared __attribute__((aligned(64))); /* benchmark "insn": on a line of its own, which all CPUs want */
};

#endif
