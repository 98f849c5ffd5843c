/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/stats.c */
/* Order statistics against their definition, counted slowly. */
#include "lib/stats.h"
#include "unit.h"

/* The smallest sample such that at least `percent` % of all are <= it: by the words of the definition. */
static u64 slow_percentile(const u64 *samples, size_t n, unsigned percent)
{
	u64 best = ~0ull;
	size_t i, j, below;

	for (i = 0; i < n; i++) {
		for (j = 0, below = 0; j < n; j++)
			below += samples[j] <= samples[i];
		if (below * 100 >= n * percent && samples[i] < best)
			best = samples[i];
	}
	return best;
}

static void compare(const u64 *samples, size_t n)
{
	u64 *copy = unit_exact(samples, n * sizeof(u64));
	struct stats s = stats_of(copy, n);
	size_t i;

	EXPECT_EQ(s.n, n);
	EXPECT_EQ(s.p50, slow_percentile(samples, n, 50));
	EXPECT_EQ(s.p90, slow_percentile(samples, n, 90));
	EXPECT_EQ(s.p99, slow_percentile(samples, n, 99));
	EXPECT_EQ(s.min, copy[0]);
	EXPECT_EQ(s.max, slow_percentile(samples, n, 100));
	for (i = 1; i < n; i++)
		EXPECT(copy[i - 1] <= copy[i]);
	free(copy);
}

UNIT_TEST(stats_as_defined)
{
	u64 samples[256], seed = 3;
	unsigned round;
	size_t n, i;

	for (round = 0; round < 1500 && !unit_failures(); round++) {
		n = 1 + round % ARRAY_SIZE(samples);
		for (i = 0; i < n; i++) /* few different values, then many */
			samples[i] = random_next(&seed) >> (round % 3 ? 61 : 1);
		compare(samples, n);
	}
}

UNIT_TEST(stats_of_orders)
{
	u64 samples[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(samples); i++)
		samples[i] = i;
	compare(samples, ARRAY_SIZE(samples));
	for (i = 0; i < ARRAY_SIZE(samples); i++)
		samples[i] = ~i;
	compare(samples, ARRAY_SIZE(samples));
	for (i = 0; i < ARRAY_SIZE(samples); i++)
		samples[i] = 5;
	compare(samples, ARRAY_SIZE(samples));
}

/* Known figures: of 1..1000 the 50 % are 500, and so on. */
UNIT_TEST(stats_known)
{
	u64 samples[1000];
	struct stats s;
	size_t i;

	for (i = 0; i < 1000; i++)
		samples[i] = 1000 - i;
	s = stats_of(samples, 1000);
	EXPECT_EQ(s.min, 1);
	EXPECT_EQ(s.p50, 500);
	EXPECT_EQ(s.p90, 900);
	EXPECT_EQ(s.p99, 990);
	EXPECT_EQ(s.max, 1000);
	s = stats_of(samples, 1);
	EXPECT(s.min == 1 && s.p50 == 1 && s.p99 == 1 && s.max == 1);
}

UNIT_TEST(stats_of_nothing)
{
	struct stats s = stats_of(NULL, 0);

	EXPECT(!s.n && !s.min && !s.p50 && !s.p90 && !s.p99 && !s.max);
}

/* A sort that is quadratic for some order would take minutes here. */
UNIT_TEST(stats_of_many)
{
	size_t n = 1000000, i;
	u64 *samples = malloc(n * sizeof(u64));
	struct stats s;

	for (i = 0; i < n; i++)
		samples[i] = i ^ 0x55;
	s = stats_of(samples, n);
	EXPECT_EQ(s.p99, 989999);
	free(samples);
}

UNIT_TEST(random_is_reproducible_and_in_range)
{
	u64 a = 42, b = 42, zero = 0, seen[10] = { 0 };
	unsigned i;

	for (i = 0; i < 1000; i++)
		EXPECT_EQ(random_next(&a), random_next(&b));
	EXPECT(random_next(&zero) != 0 && zero != 0);
	for (i = 0; i < 10000; i++) {
		u64 r = random_below(&a, ARRAY_SIZE(seen));

		EXPECT(r < ARRAY_SIZE(seen));
		seen[r]++;
	}
	for (i = 0; i < ARRAY_SIZE(seen); i++) /* 1000 +- more than six sigma */
		EXPECT(seen[i] > 800 && seen[i] < 1200);
	EXPECT_EQ(random_below(&a, 1), 0);
}
