/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Breadcrumbs: what a CPU did last, one word each, left for whoever looks at a CPU that does not answer (smp/watchdog.c). With
 * interrupts masked it can't be asked where there is no non-maskable interrupt, as on arm64. They stay when what they tell of is
 * over: "last", not "now". What is loaded, lazy, and what it waits for are words that others read anyway.
 */
#ifndef SMP_CRUMB_H
#define SMP_CRUMB_H

#include "arch/irq.h"
#include "machine.h"

/* irq_save(), by whom: text that follows "for". */
static inline bool irq_save_for(const char *what)
{
	bool were_on = irq_save();

	store_relaxed(&this_cpu()->smp.crumb.irqs_off, (u64)what);
	return were_on;
}

#endif
