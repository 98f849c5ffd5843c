/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/clock.h on arm64: the virtual counter. ISB keeps the read, which is not ordered, from starting early. */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include "arch/arm64/insn.h"

static inline u64 clock_now(void)
{
	return read_cntvct();
}

/* The first ISB keeps what is before from being measured, the second what is measured from starting before the read. */
static inline u64 clock_begin(void)
{
	u64 t;

	isb();
	t = read_cntvct();
	isb();
	return t;
}

static inline u64 clock_end(void)
{
	return clock_begin();
}

#endif
