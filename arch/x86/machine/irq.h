/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/irq.h on x86: the interrupt flag. */
#ifndef MACHINE_IRQ_H
#define MACHINE_IRQ_H

#include "arch/x86/insn.h"

static inline bool irq_enabled(void)
{
	return read_flags() & FLAGS_IF;
}

static inline void irq_enable(void)
{
	sti();
}

static inline bool irq_save(void)
{
	bool were_on = irq_enabled();

	cli();
	return were_on;
}

static inline void irq_restore(bool were_on)
{
	if (were_on)
		sti();
}

#endif
