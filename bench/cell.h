/* SPDX-License-Identifier: BSD-2-Clause */
/* A cell: one benchmark, CPU count, pages and variant, under all strategies. Between harness.c, which fills it, and report.c. */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "bench.h"
#include "bench/others.h"

/* Of one strategy in one cell. */
struct tally {
	u64 n, ops;
	unsigned held, holders, targets;
	u64 others_done; /* by the CPUs that take no part */
};

struct cell {
	const struct bench *bench;
	unsigned cpus, variant, nr; /* nr: strategies */
	unsigned batch; /* operations per sample */
	enum others others;
	u64 pages, raw_ipi;
	char params[64];
	struct tally tally[MAX_STRATEGIES];
};

/* Counter sums of a strategy and CPU in the cell under way, [MAX_COUNTERS]. */
u64 *cell_counted(const struct strategy *s, unsigned cpu);

/* The record and the line of strategy number `index`, called `name`. Sorts its samples. */
void cell_report(struct cell *cell, const struct strategy *s, const char *name, unsigned index);

#endif
