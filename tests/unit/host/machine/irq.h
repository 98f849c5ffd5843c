/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupt flag of the CPU a unit test pretends to be; nothing ever interrupts. */
extern bool host_irqs_on;

static inline bool irq_enabled(void)
{
	return host_irqs_on;
}

static inline void irq_enable(void)
{
	host_irqs_on = true;
}

static inline bool irq_save(void)
{
	bool on = host_irqs_on;

	host_irqs_on = false;
	return on;
}

static inline void irq_restore(bool were_on)
{
	host_irqs_on = were_on;
}
