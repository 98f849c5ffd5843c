/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/percpu.h on arm64: TPIDR_EL1 is the address of struct cpu. */
#ifndef MACHINE_PERCPU_H
#define MACHINE_PERCPU_H

static inline struct cpu *this_cpu(void)
{
	struct cpu *cpu;

	/* Not volatile: the answer never changes on a CPU that has been set up, and two uses may share one read. */
	asm("mrs %0, tpidr_el1" : "=r"(cpu));
	return cpu;
}

#endif
