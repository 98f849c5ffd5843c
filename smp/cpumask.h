/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets of CPUs by logical number. struct cpumask is private to its owner; struct shared_mask (mm_cpumask) is written by many at
 * once. Both hold MAX_CPUS bits; the functions look at the words of the CPUs that exist only (cpumask_words()). At 128 bytes they
 * don't go on a stack in a hot path.
 */
#ifndef SMP_CPUMASK_H
#define SMP_CPUMASK_H

#include "arch/atomic.h"
#include "types.h"

#define CPUMASK_WORDS (MAX_CPUS / 64)

struct cpumask {
	u64 bits[CPUMASK_WORDS];
};

struct shared_mask {
	struct word words[CPUMASK_WORDS];
};

static inline unsigned cpumask_words(void); /* words that hold a CPU of this machine; in include/machine.h */

void cpumask_zero(struct cpumask *m); /* all words */
void cpumask_copy(struct cpumask *dst, const struct cpumask *src);
bool cpumask_empty(const struct cpumask *m);
bool cpumask_equal(const struct cpumask *a, const struct cpumask *b);
unsigned cpumask_weight(const struct cpumask *m);
void cpumask_first_n(struct cpumask *m, unsigned n); /* := CPUs 0..n-1 */
void cpumask_or(struct cpumask *dst, const struct cpumask *src);

static inline void cpumask_set(struct cpumask *m, unsigned cpu)
{
	m->bits[cpu / 64] |= 1ull << (cpu % 64);
}

static inline void cpumask_clear(struct cpumask *m, unsigned cpu)
{
	m->bits[cpu / 64] &= ~(1ull << (cpu % 64));
}

static inline bool cpumask_test(const struct cpumask *m, unsigned cpu)
{
	return m->bits[cpu / 64] >> (cpu % 64) & 1;
}

/* The first CPU in m that is >= from; MAX_CPUS if none. */
static inline unsigned cpumask_next(const struct cpumask *m, unsigned from)
{
	unsigned i = from / 64, words = cpumask_words();
	u64 rest;

	if (i >= words)
		return MAX_CPUS;
	rest = m->bits[i] & ~0ull << (from % 64);
	while (!rest) {
		if (++i == words)
			return MAX_CPUS;
		rest = m->bits[i];
	}
	return i * 64 + (unsigned)__builtin_ctzll(rest);
}

/*
 * The CPUs in m, in order. The body may clear the bit it is at; it does not `break` (there are two loops). `cpu` is declared
 * outside.
 */
#define for_each_cpu(cpu, m)                                                                                      \
	for (unsigned word_ = 0, words_ = cpumask_words(); word_ < words_; word_++)                               \
		for (u64 bits_ = (m)->bits[word_]; bits_ && ((cpu) = word_ * 64 + (unsigned)__builtin_ctzll(bits_), true); \
		     bits_ &= bits_ - 1)

/* Set and clear are single locked operations (full order); test and copy are relaxed, word by word. */
static inline void shared_mask_set(struct shared_mask *m, unsigned cpu)
{
	or_full(&m->words[cpu / 64], 1ull << (cpu % 64));
}

static inline void shared_mask_clear(struct shared_mask *m, unsigned cpu)
{
	and_full(&m->words[cpu / 64], ~(1ull << (cpu % 64)));
}

static inline bool shared_mask_test(const struct shared_mask *m, unsigned cpu)
{
	return load_relaxed(&m->words[cpu / 64]) >> (cpu % 64) & 1;
}

void shared_mask_zero(struct shared_mask *m); /* full order, word by word */
void shared_mask_set_all_but(struct shared_mask *m, unsigned cpu); /* MAX_CPUS: all. Writes only what changes, full order */
void shared_mask_copy(struct cpumask *dst, const struct shared_mask *src);

#endif
