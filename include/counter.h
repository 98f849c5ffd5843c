/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters, one word per CPU and counter, written by the owner CPU only. Declared next to what they count:
 *
 *	COUNTER(ipis_sent, "interrupts sent for shootdowns");
 *	... count(&counter_ipis_sent, 1) ...
 */
#ifndef COUNTER_H
#define COUNTER_H

#include "arch/atomic.h"
#include "registry.h"

struct counter {
	const char *name; /* also the field's name in records */
	const char *help;
};

#define COUNTER(sym, text) REGISTRY_ENTRY(counters, counter, counter_##sym) = { .name = #sym, .help = text }
#define COUNTER_DECLARE(sym) extern const struct counter counter_##sym
REGISTRY_DECLARE(counters, counter);

#define MAX_COUNTERS 48

struct counter_slot {
	struct word n;
} __attribute__((aligned(sizeof(struct counter))));

/* On this CPU; interrupts may be on or off. */
static inline void count(const struct counter *c, u64 n);

/* Over CPUs 0..nr_cpus-1. */
u64 counter_sum(const struct counter *c);
u64 counter_of(const struct counter *c, unsigned cpu);
void counters_zero(void);

#endif
