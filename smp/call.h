/* SPDX-License-Identifier: BSD-2-Clause */
/* Cross calls: run a function on other CPUs, by one IPI for each that has nothing queued already. */
#ifndef SMP_CALL_H
#define SMP_CALL_H

#include "smp/smp.h"

/* Storage for the nodes of all CPUs; called once, when nr_cpus is known. */
void call_init(void);

/*
 * On the target, interrupts off; takes no lock, waits for nobody. It acknowledges with call_done(), once: what it did before is
 * visible when call_sync() has returned. From there on the call is the initiator's, and so is what its argument points to.
 */
typedef void call_fn(struct call_node *call);

static inline const void *call_arg(const struct call_node *call)
{
	return (const void *)load_relaxed(&call->arg);
}

static inline void call_done(struct call_node *call)
{
	/*
	 * Release: the flush is done before the initiator may see it and reuse the frame; and what was read of the argument was
	 * read before it is written again. Partner: the acquire in call_sync().
	 */
	store_release(&call->busy, 0);
}

/*
 * Queue fn for each CPU in `targets` (never self) and interrupt it. Returns how many CPUs were interrupted: one that still has
 * others' calls queued is not, it takes this one along. One call of a CPU may be under way at a time: call_sync() comes before the
 * next call_issue(). *arg must stay as it is until then.
 */
unsigned call_issue(call_fn *fn, const void *arg, const struct cpumask *targets);

/* Wait until every CPU in `targets` has acknowledged. Everything that they did before is visible here. */
void call_sync(const struct cpumask *targets, const char *what);

/* fn(arg) on each CPU, self included if it is in `cpus`; returns when all have run it. */
void call_on(const struct cpumask *cpus, void (*fn)(const void *arg), const void *arg);

/* Run what others queued for this CPU. Interrupts off. */
void call_serve(void);

#endif
