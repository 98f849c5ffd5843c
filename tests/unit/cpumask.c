/* SPDX-License-Identifier: BSD-2-Clause */
/* units: smp/cpumask.c */
/* Sets of CPUs against an array of bools, at the sizes where words begin and end. */
#include "smp/cpumask.h"
#include "unit.h"

static const unsigned sizes[] = { 1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 1000, 1023, 1024 };

static u64 seed = 5;

static u64 any(u64 n)
{
	return random_of(&seed, n);
}

/* A mask full of rubbish beyond the words in use, where nobody may look; and the same set as bools. */
static void random_mask(struct cpumask *m, bool *set)
{
	unsigned cpu, density = (unsigned)any(5);

	memset(m, 0xa5, sizeof(*m));
	memset(m, 0, cpumask_words() * sizeof(u64));
	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		set[cpu] = any(4) < density;
		if (set[cpu])
			cpumask_set(m, cpu);
	}
}

static void expect_same(const struct cpumask *m, const bool *set)
{
	unsigned cpu, weight = 0, seen = 0, next = 0;

	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		EXPECT_EQ(cpumask_test(m, cpu), set[cpu]);
		weight += set[cpu];
	}
	EXPECT_EQ(cpumask_weight(m), weight);
	EXPECT_EQ(cpumask_empty(m), weight == 0);
	for_each_cpu(cpu, m) {
		for (; next < cpu; next++)
			EXPECT(!set[next]);
		EXPECT(set[cpu]);
		next = cpu + 1;
		seen++;
	}
	EXPECT_EQ(seen, weight);
	EXPECT_EQ(cpumask_next(m, MAX_CPUS), MAX_CPUS);
}

static void one_round(void)
{
	static bool a_set[MAX_CPUS], b_set[MAX_CPUS];
	struct cpumask a, b, c;
	unsigned cpu, n = machine.smp.nr_cpus;

	random_mask(&a, a_set);
	random_mask(&b, b_set);
	expect_same(&a, a_set);
	EXPECT_EQ(cpumask_equal(&a, &b), memcmp(a_set, b_set, n) == 0);
	memset(&c, 0x5a, sizeof(c));
	cpumask_copy(&c, &a);
	EXPECT(cpumask_equal(&c, &a));
	cpumask_or(&c, &b);
	for (cpu = 0; cpu < n; cpu++)
		b_set[cpu] |= a_set[cpu];
	expect_same(&c, b_set);
	for (cpu = 0; cpu < n; cpu++) {
		if (a_set[cpu]) {
			cpumask_clear(&c, cpu);
			b_set[cpu] = false;
		}
	}
	expect_same(&c, b_set);
}

UNIT_TEST(cpumask_as_an_array)
{
	unsigned i, round;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		machine.smp.nr_cpus = sizes[i];
		EXPECT_EQ(cpumask_words(), sizes[i] / 64 + (sizes[i] % 64 != 0));
		for (round = 0; round < 100 && !unit_failures(); round++)
			one_round();
	}
}

UNIT_TEST(cpumask_each_single_bit)
{
	struct cpumask m, other;
	unsigned i, cpu;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		machine.smp.nr_cpus = sizes[i];
		for (cpu = 0; cpu < sizes[i] && !unit_failures(); cpu++) {
			cpumask_zero(&m);
			cpumask_zero(&other);
			EXPECT(cpumask_equal(&m, &other));
			cpumask_set(&m, cpu);
			EXPECT(!cpumask_equal(&m, &other));
			EXPECT_EQ(cpumask_next(&m, 0), cpu);
			EXPECT_EQ(cpumask_next(&m, cpu), cpu);
			EXPECT_EQ(cpumask_next(&m, cpu + 1), MAX_CPUS);
			EXPECT_EQ(cpumask_weight(&m), 1);
		}
	}
}

UNIT_TEST(cpumask_first_n_exactly)
{
	struct cpumask m;
	unsigned i, n;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		machine.smp.nr_cpus = sizes[i];
		for (n = 0; n <= sizes[i] && !unit_failures(); n++) {
			memset(&m, 0xff, sizeof(m));
			cpumask_first_n(&m, n);
			EXPECT_EQ(cpumask_weight(&m), n);
			EXPECT(n == 0 || cpumask_test(&m, n - 1));
		}
	}
}

UNIT_TEST(shared_mask_set_clear_copy)
{
	struct shared_mask shared;
	struct cpumask m;
	unsigned i, cpu, n;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		n = machine.smp.nr_cpus = sizes[i];
		memset(&shared, 0, sizeof(shared));
		for (cpu = 0; cpu < n; cpu += 3)
			shared_mask_set(&shared, cpu);
		for (cpu = 0; cpu < n; cpu += 2)
			shared_mask_clear(&shared, cpu);
		memset(&m, 0xa5, sizeof(m));
		shared_mask_copy(&m, &shared);
		for (cpu = 0; cpu < n; cpu++) {
			EXPECT_EQ(shared_mask_test(&shared, cpu), cpu % 3 == 0 && cpu % 2 != 0);
			EXPECT_EQ(cpumask_test(&m, cpu), cpu % 3 == 0 && cpu % 2 != 0);
		}
	}
}

UNIT_TEST(cpumask_shared_but_one)
{
	static struct shared_mask m;
	struct cpumask c;
	unsigned i, cpu;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		machine.smp.nr_cpus = sizes[i];
		for (cpu = 0; cpu < sizes[i] && !unit_failures(); cpu++) {
			shared_mask_set_all_but(&m, cpu);
			EXPECT(!shared_mask_test(&m, cpu) && (sizes[i] == 1 || shared_mask_test(&m, (cpu + 1) % sizes[i])));
			shared_mask_set_all_but(&m, MAX_CPUS);
			EXPECT(shared_mask_test(&m, cpu));
			shared_mask_zero(&m);
			shared_mask_copy(&c, &m);
			EXPECT_EQ(cpumask_next(&c, 0), MAX_CPUS);
		}
	}
}
