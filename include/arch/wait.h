/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: what a CPU does that can't go on until a word changes. Only smp/wait.c uses these; all others call wait_until() or
 * wait_idle(). In the simulator they block the CPU until the word differs from `seen`.
 */
#ifndef ARCH_WAIT_H
#define ARCH_WAIT_H

#include "arch/atomic.h"

/* *w was `seen`: pause (x86), WFE (arm64). May return early. */
static inline void wait_pause(const struct word *w, u64 seen);

/*
 * *w was `seen`, and this CPU has nothing to do: halt until an interrupt or until about `ticks` clock ticks have passed
 * (0 = no limit). Called and returns with interrupts off; they are on only while it is halted, and whatever was pending is
 * delivered before it returns. Who changes *w must send IPI_WAKE.
 */
void wait_halt(const struct word *w, u64 seen, u64 ticks);

#include <machine/wait.h>

#endif
