/* SPDX-License-Identifier: BSD-2-Clause */
/* Which CPU a unit test pretends to run on: set host_cpu. */
extern struct cpu *host_cpu;

static inline struct cpu *this_cpu(void)
{
	return host_cpu;
}
