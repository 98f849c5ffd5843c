/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: the clock, a counter of constant rate that all CPUs agree on as far as said in clock_info.
 */
#ifndef ARCH_CLOCK_H
#define ARCH_CLOCK_H

#include "types.h"

struct clock_info {
	const char *source; /* "tsc", "cntvct" */
	const char *calibration; /* how ticks_per_us became known: "cpuid-15h", ..., "pm-timer", "pit"; "cntfrq" */
	u64 ticks_per_us; /* rounded to nearest, at least 1 */
	u64 khz; /* ticks per millisecond */
	u64 resolution; /* smallest non-zero difference seen between two reads, in ticks */
	bool invariant; /* rate does not change with frequency or sleep states (x86: CPUID 8000_0007 EDX[8]) */
};

const struct clock_info *clock_info(void);

/* Unordered read, for time-outs. */
static inline u64 clock_now(void);

/*
 * Reads that bracket a measured section: nothing of it is executed before begin or after end. x86: LFENCE; RDTSC; LFENCE
 * (SDM vol. 2B RDTSC; RDTSCP; LFENCE would end a section as well, but not every CPU has it).
 */
static inline u64 clock_begin(void);
static inline u64 clock_end(void);

#include <machine/clock.h>

#endif
