/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/percpu.h on x86: the GS base points to struct arch_cpu, whose first word points to struct cpu. */
#ifndef MACHINE_PERCPU_H
#define MACHINE_PERCPU_H

static inline struct cpu *this_cpu(void)
{
	struct cpu *cpu;

	/* Not volatile: the answer never changes on a CPU that has been set up, and two uses may share one load. */
	asm("movq %%gs:0, %0" : "=r"(cpu));
	return cpu;
}

#endif
