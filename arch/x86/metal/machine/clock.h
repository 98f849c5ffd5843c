/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/clock.h on x86: the time-stamp counter. */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include "arch/x86/insn.h"

static inline u64 clock_now(void)
{
	return rdtsc();
}

static inline u64 clock_sample(void)
{
	return rdtsc();
}

/* The first LFENCE keeps what is before from being measured, the second what is measured from starting before the read. */
static inline u64 clock_begin(void)
{
	u64 t;

	lfence();
	t = rdtsc();
	lfence();
	return t;
}

/* LFENCE; RDTSC waits as RDTSCP does (for completion, not for stores to drain), and every CPU has it. */
static inline u64 clock_end(void)
{
	u64 t;

	lfence();
	t = rdtsc();
	lfence();
	return t;
}

#endif
