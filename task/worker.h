/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One worker per CPU. It runs jobs; between them it is a kernel thread: whatever mm its last job used stays loaded, lazily, and the
 * CPU halts. CPU 0's worker is the driver itself.
 */
#ifndef TASK_WORKER_H
#define TASK_WORKER_H

#include "smp/cpumask.h"
#include "smp/smp.h"
#include "types.h"

struct job {
	void (*fn)(void *arg, unsigned index); /* index: 0.. among the CPUs of the job, in order of their numbers */
	void *arg;
};

struct worker {
	struct word job; /* const struct job *; 0 = parked */
	unsigned index;
};

/* Starts fn on each CPU of `cpus` (self runs its share inside workers_wait). Disjoint sets may be under way at once. */
void workers_start(const struct cpumask *cpus, const struct job *job);
void workers_wait(const struct cpumask *cpus, const struct job *job);

/* Both. */
void workers_run(const struct cpumask *cpus, void (*fn)(void *arg, unsigned index), void *arg);

/* The loop of CPUs other than 0. */
_Noreturn void worker_loop(void);

/*
 * All n participants of a job meet here; reusable. Each spins (never halts): participants are few and about to go on. Full order:
 * what was done before by anyone is visible after.
 */
struct meeting {
	struct word arrived, round;
	unsigned n;
};

void meet(struct meeting *m, const char *what);

#endif
