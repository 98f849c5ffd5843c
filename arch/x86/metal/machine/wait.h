/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/wait.h on x86. */
#ifndef MACHINE_WAIT_H
#define MACHINE_WAIT_H

#include "arch/x86/insn.h"

static inline void wait_pause(const struct word *w, u64 seen)
{
	(void)w;
	(void)seen;
	pause();
}

#endif
