/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MACHINE_PERCPU_H
#define MACHINE_PERCPU_H

extern void *sim_this_cpu;

static inline struct cpu *this_cpu(void)
{
	return sim_this_cpu;
}

#endif
