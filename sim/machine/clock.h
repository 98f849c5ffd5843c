/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include <machine/primitives.h>

static inline u64 clock_now(void)
{
	return sim_clock();
}

static inline u64 clock_sample(void)
{
	return sim_clock();
}

static inline u64 clock_begin(void)
{
	return sim_clock();
}

static inline u64 clock_end(void)
{
	return sim_clock();
}

#endif
