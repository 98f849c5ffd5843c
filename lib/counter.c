/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters over CPUs. The words are in struct cpu, written by their owner; sums are exact when nobody counts meanwhile.
 */
#include "check.h"
#include "machine.h"

u64 counter_of(const struct counter *c, unsigned cpu)
{
	return load_relaxed(&machine.cpu[cpu].counter[c - __start_counters].n);
}

u64 counter_sum(const struct counter *c)
{
	u64 sum = 0;
	unsigned cpu;

	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++)
		sum += counter_of(c, cpu);
	return sum;
}

void counters_zero(void)
{
	unsigned cpu, i;

	CHECK(REGISTRY_COUNT(counters) <= MAX_COUNTERS);
	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		for (i = 0; i < REGISTRY_COUNT(counters); i++)
			store_relaxed(&machine.cpu[cpu].counter[i].n, 0);
	}
}
