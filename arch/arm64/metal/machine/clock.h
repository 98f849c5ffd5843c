/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * include/arch/clock.h on arm64: the time is the virtual counter; samples are by the cycle counter where all CPUs have one that
 * counts. ISB keeps the reads, which are not ordered, from starting early.
 */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include "arch/arm64/insn.h"

static inline u64 clock_now(void)
{
	return read_cntvct();
}

extern bool samples_by_cycles; /* metal/clock.c: known once CPUs are up; outside struct machine, which this is a part of */

static inline u64 clock_sample(void)
{
	return samples_by_cycles ? read_pmccntr() : read_cntvct();
}

/* The first ISB keeps what is before from being measured, the second what is measured from starting before the read. */
static inline u64 clock_begin(void)
{
	u64 t;

	isb();
	t = clock_sample();
	isb();
	return t;
}

static inline u64 clock_end(void)
{
	return clock_begin();
}

#endif
