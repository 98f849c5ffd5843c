/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets of CPUs. No state of its own; masks are their owners'. Words beyond cpumask_words() are never looked at, so what stands in
 * them does not matter.
 */
#include "smp/cpumask.h"
#include "machine.h"

void cpumask_zero(struct cpumask *m)
{
	unsigned i;

	for (i = 0; i < CPUMASK_WORDS; i++)
		m->bits[i] = 0;
}

void cpumask_copy(struct cpumask *dst, const struct cpumask *src)
{
	unsigned i, words = cpumask_words();

	for (i = 0; i < words; i++)
		dst->bits[i] = src->bits[i];
}

bool cpumask_empty(const struct cpumask *m)
{
	return cpumask_next(m, 0) == MAX_CPUS;
}

bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	unsigned i, words = cpumask_words();

	for (i = 0; i < words; i++) {
		if (a->bits[i] != b->bits[i])
			return false;
	}
	return true;
}

unsigned cpumask_weight(const struct cpumask *m)
{
	unsigned i, words = cpumask_words(), weight = 0;
	u64 rest;

	for (i = 0; i < words; i++) {
		/* Not __builtin_popcount: on a CPU that may lack the instruction it is a call into libgcc. */
		for (rest = m->bits[i]; rest; rest &= rest - 1)
			weight++;
	}
	return weight;
}

void cpumask_first_n(struct cpumask *m, unsigned n)
{
	unsigned i;

	cpumask_zero(m);
	for (i = 0; i < n / 64; i++)
		m->bits[i] = ~0ull;
	if (n % 64)
		m->bits[i] = (1ull << (n % 64)) - 1;
}

void cpumask_or(struct cpumask *dst, const struct cpumask *src)
{
	unsigned i, words = cpumask_words();

	for (i = 0; i < words; i++)
		dst->bits[i] |= src->bits[i];
}

void shared_mask_zero(struct shared_mask *m)
{
	unsigned i, words = cpumask_words();

	for (i = 0; i < words; i++)
		xchg_full(&m->words[i], 0);
}

void shared_mask_set_all_but(struct shared_mask *m, unsigned cpu)
{
	unsigned i, words = cpumask_words();

	for (i = 0; i < words; i++) {
		u64 bits = i == cpu / 64 ? ~(1ull << (cpu % 64)) : ~0ull;

		if (~load_relaxed(&m->words[i]) & bits)
			or_full(&m->words[i], bits);
	}
}

void shared_mask_copy(struct cpumask *dst, const struct shared_mask *src)
{
	unsigned i, words = cpumask_words();

	for (i = 0; i < words; i++)
		dst->bits[i] = load_relaxed(&src->words[i]);
}
