/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the CPUs do meanwhile that take no part in a cell: option others=. Broadcasts, interrupt commands and locked operations cost
 * more or less by what is under way elsewhere, and a CPU that takes no part may pay for them (workloads B9, B10).
 */
#ifndef BENCH_OTHERS_H
#define BENCH_OTHERS_H

#include "bench.h"

enum others {
	OTHERS_HALT, /* parked: halted, or spinning under idle=spin */
	OTHERS_SPIN, /* arithmetic in registers */
	OTHERS_MEM, /* reads and writes line after line of memory of their own */
	OTHERS_FLUSH, /* each takes rights from a page of its own mm, and gives them back, under the strategy of the cell */
};

/* Number i of what others= names, for a cell of `cpus` CPUs; false: there are no more. No others, or not for `b`: they halt. */
bool others_nth(const struct bench *b, unsigned cpus, unsigned i, enum others *what);

const char *others_name(enum others what);

/* Reserves memory; before frames_init(). */
void others_init(void);

/* NULL, or one line: others= and idle= contradict each other. */
const char *others_check(void);

/* Around a round, on CPU 0: CPUs cpus..nr_cpus-1 are at work when the first returns; NULL, or why not. */
const char *others_start(enum others what, unsigned cpus);

/*
 * They are parked again. Returns what they have done: loops of 4096 steps, lines of 64 bytes written, flushes; with `halt` how many
 * are halted now.
 */
u64 others_stop(void);

#endif
