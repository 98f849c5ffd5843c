/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/wait.h on arm64. */
#ifndef MACHINE_WAIT_H
#define MACHINE_WAIT_H

#include "arch/arm64/insn.h"

/*
 * A load-exclusive arms the monitor, and a store of another CPU to the word is then an event that ends WFE; so is an interrupt that
 * is not masked, and the event stream (clock.c) bounds it. With interrupts masked a call for this CPU would not end it: no WFE.
 */
static inline void wait_pause(const struct word *w, u64 seen)
{
	u64 now;

	if (irqs_masked()) {
		yield();
		return;
	}
	asm volatile("ldxr %0, %1" : "=r"(now) : "Q"(w->raw) : "memory");
	if (now == seen)
		asm volatile("wfe" : : : "memory");
	else
		asm volatile("clrex" : : : "memory");
}

#endif
