/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Workers. State: worker.job of each CPU: set by the driver (CPU 0), cleared by the worker when it is done.
 */
#include "arch/irq.h"
#include "check.h"
#include "machine.h"
#include "mm/switch.h"
#include "smp/wait.h"
#include "task/worker.h"

void workers_start(const struct cpumask *cpus, const struct job *job)
{
	unsigned cpu, index = 0;

	for_each_cpu(cpu, cpus) {
		struct worker *w = &machine.cpu[cpu].worker;

		CHECK(!load_relaxed(&w->job));
		w->index = index++;
		/* Release: index and *job before the pointer. Partner: the acquire in worker_loop()'s wait. */
		store_release(&w->job, (u64)job);
		if (cpu != this_cpu()->id)
			cpu_wake(cpu);
	}
}

static void run_job(struct worker *w)
{
	const struct job *job = (const struct job *)load_relaxed(&w->job);

	job->fn(job->arg, w->index);
	switch_lazy(); /* a kernel thread from here on; the root stays */
	add_owner(&this_cpu()->smp.progress, 1);
	store_release(&w->job, 0);
}

void workers_wait(const struct cpumask *cpus, const struct job *job)
{
	unsigned cpu;

	if (cpumask_test(cpus, this_cpu()->id)) {
		CHECK(load_relaxed(&this_cpu()->worker.job) == (u64)job);
		run_job(&this_cpu()->worker);
	}
	for_each_cpu(cpu, cpus)
		wait_idle(&machine.cpu[cpu].worker.job, WAIT_EQ, 0, "a worker to finish", false);
}

void workers_run(const struct cpumask *cpus, void (*fn)(void *arg, unsigned index), void *arg)
{
	struct job job = { .fn = fn, .arg = arg };

	workers_start(cpus, &job);
	workers_wait(cpus, &job);
}

void worker_loop(void)
{
	struct worker *w = &this_cpu()->worker;

	for (;;) {
		wait_idle(&w->job, WAIT_NE, 0, "a job", true);
		irq_enable();
		run_job(w);
		cpu_wake(0);
	}
}

void meet(struct meeting *m, const char *what)
{
	u64 round = load_relaxed(&m->round);

	if (add_full(&m->arrived, 1) == m->n) {
		store_relaxed(&m->arrived, 0);
		/* Full order by the exchange: everything before this meeting, by anyone, is before everything after it. */
		xchg_full(&m->round, round + 1);
	} else {
		wait_until(&m->round, WAIT_NE, round, what);
	}
}
