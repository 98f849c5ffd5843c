/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: interrupts of this CPU, and interrupts to others.
 */
#ifndef ARCH_IRQ_H
#define ARCH_IRQ_H

#include "types.h"

struct cpumask;

static inline bool irq_enabled(void);
static inline void irq_enable(void);
static inline bool irq_save(void); /* off; returns whether they were on */
static inline void irq_restore(bool were_on);

enum ipi {
	IPI_CALL, /* run call_serve() */
	IPI_WAKE, /* nothing: ends a halt */
	IPI_YARDSTICK, /* store one word: the raw round trip, no shared code in its handler */
	IPI_SNAPSHOT, /* report what this CPU is doing; not maskable where the hardware has such a thing (x86 NMI) */
	NR_IPIS
};

/*
 * Send to every CPU in `targets` (never self), by logical number. Returns the number of interrupt commands written.
 * Everything this CPU stored before the call is visible to the handler of the target: xAPIC's ICR is an uncached store,
 * ordered after earlier ones; x2APIC's WRMSR is not serialising, so MFENCE; LFENCE comes first (SDM vol. 3A 11.12.3).
 */
unsigned ipi_send(enum ipi ipi, const struct cpumask *targets);
void ipi_send_one(enum ipi ipi, unsigned cpu); /* may be self */

#include <machine/irq.h>

#endif
