/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: two clocks, which may be one. clock_now() is the time: a counter of constant rate that all CPUs agree on. Samples are
 * taken by the finest counter that there is: each CPU may have its own, and its rate may change; only two reads of one CPU say
 * something.
 */
#ifndef ARCH_CLOCK_H
#define ARCH_CLOCK_H

#include "types.h"

struct clock_info {
	const char *source; /* "tsc"; "cntvct", "pmccntr" */
	const char *calibration; /* how ticks_per_us became known: "cpuid-15h", ..., "pm-timer", "pit"; "cntfrq", "cntvct" */
	u64 ticks_per_us; /* rounded to nearest, at least 1 */
	u64 khz; /* ticks per millisecond */
	u64 resolution; /* smallest non-zero difference seen between two reads, in ticks */
	bool invariant; /* rate does not change with frequency or sleep states (x86: CPUID 8000_0007 EDX[8]) */
	char note[120]; /* of samples: why it is not a finer one; may be empty */
};

const struct clock_info *clock_info(void); /* of clock_now() */
const struct clock_info *clock_of_samples(void); /* of the others; known once all CPUs are up */

/* Unordered reads: the time, for time-outs; the clock of samples, for what is taken off a sample. */
static inline u64 clock_now(void);
static inline u64 clock_sample(void);

/*
 * Reads that bracket a measured section, by the clock of samples: nothing of it is executed before begin or after end. x86: LFENCE;
 * RDTSC; LFENCE (SDM vol. 2B RDTSC; RDTSCP; LFENCE would end a section as well, but not every CPU has it).
 */
static inline u64 clock_begin(void);
static inline u64 clock_end(void);

#include <machine/clock.h>

#endif
