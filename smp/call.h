/* SPDX-License-Identifier: BSD-2-Clause */
/* Cross calls: run a function on other CPUs, by one IPI for each that has nothing queued already. */
#ifndef SMP_CALL_H
#define SMP_CALL_H

#include "smp/smp.h"

/* Storage for the nodes of all CPUs; called once, when nr_cpus is known. */
void call_init(void);

typedef void call_fn(const void *arg); /* on the target, interrupts off; takes no lock, waits for nobody */

/*
 * Queue fn(arg) for each CPU in `targets` (never self) and interrupt it. Returns how many CPUs were interrupted: one that
 * still has others' calls queued is not, it takes this one along. One call of a CPU may be
 * under way at a time: call_sync() comes before the next call_issue(). *arg must stay as it is until then.
 */
unsigned call_issue(call_fn *fn, const void *arg, const struct cpumask *targets);

/* Wait until every CPU in `targets` has run it. Everything that they did in it is visible here. */
void call_sync(const struct cpumask *targets, const char *what);

/* Issue and sync; self included if it is in `cpus`. */
void call_on(const struct cpumask *cpus, call_fn *fn, const void *arg);

/* Run what others queued for this CPU. Interrupts off. */
void call_serve(void);

#endif
