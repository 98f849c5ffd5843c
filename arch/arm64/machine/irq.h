/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/irq.h on arm64: the I bit of PSTATE. */
#ifndef MACHINE_IRQ_H
#define MACHINE_IRQ_H

#include "arch/arm64/insn.h"

static inline bool irq_enabled(void)
{
	return !irqs_masked();
}

static inline void irq_enable(void)
{
	unmask_irqs();
}

static inline bool irq_save(void)
{
	bool were_on = irq_enabled();

	mask_irqs();
	return were_on;
}

static inline void irq_restore(bool were_on)
{
	if (were_on)
		unmask_irqs();
}

#endif
