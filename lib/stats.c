/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Order statistics and a random generator. No state of its own. The sort is a heapsort: in place, no recursion (stacks are
 * small), and never slower than n log n whatever the samples look like.
 */
#include "lib/stats.h"

static void swap(u64 *a, u64 *b)
{
	u64 old = *a;

	*a = *b;
	*b = old;
}

/* a[root] may be smaller than its children; below it all is a heap of n elements. */
static void sift_down(u64 *a, size_t root, size_t n)
{
	size_t child;

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && a[child] < a[child + 1])
			child++;
		if (a[root] >= a[child])
			return;
		swap(&a[root], &a[child]);
		root = child;
	}
}

static void sort(u64 *a, size_t n)
{
	size_t i;

	for (i = n / 2; i-- > 0;)
		sift_down(a, i, n);
	for (i = n; i-- > 1;) {
		swap(&a[0], &a[i]);
		sift_down(a, 0, i);
	}
}

/* Nearest rank: ceil(n * percent / 100), counted from 1. Without the product, which could overflow. */
static u64 percentile(const u64 *sorted, size_t n, unsigned percent)
{
	size_t rank = n / 100 * percent + (n % 100 * percent + 99) / 100;

	return sorted[rank - 1];
}

struct stats stats_of(u64 *samples, size_t n)
{
	if (!n)
		return (struct stats){ 0 };
	sort(samples, n);
	return (struct stats){
		.n = n,
		.min = samples[0],
		.p50 = percentile(samples, n, 50),
		.p90 = percentile(samples, n, 90),
		.p99 = percentile(samples, n, 99),
		.max = samples[n - 1],
	};
}

u64 random_next(u64 *state)
{
	u64 x = *state ? *state : 0x9e3779b97f4a7c15ull;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

u64 random_below(u64 *state, u64 n)
{
	return (u64)((unsigned __int128)random_next(state) * n >> 64);
}
