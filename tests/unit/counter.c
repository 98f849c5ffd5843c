/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/counter.c */
/* Counters: each CPU its own word, sums over the CPUs that exist, zero again. */
#include "counter.h"
#include "unit.h"

COUNTER(one, "first");
COUNTER(two, "second");

UNIT_TEST(counter_per_cpu)
{
	unsigned cpu;

	machine.smp.nr_cpus = 5;
	for (cpu = 0; cpu < 5; cpu++) {
		host_cpu = &machine.cpu[cpu];
		count(&counter_one, cpu);
		count(&counter_one, 10);
		count(&counter_two, 1);
	}
	for (cpu = 0; cpu < 5; cpu++)
		EXPECT_EQ(counter_of(&counter_one, cpu), 10 + cpu);
	EXPECT_EQ(counter_sum(&counter_one), 60);
	EXPECT_EQ(counter_sum(&counter_two), 5);
	machine.smp.nr_cpus = 2;
	EXPECT_EQ(counter_sum(&counter_one), 21);
	machine.smp.nr_cpus = 5;
	counters_zero();
	EXPECT_EQ(counter_sum(&counter_one), 0);
	EXPECT_EQ(counter_sum(&counter_two), 0);
}
