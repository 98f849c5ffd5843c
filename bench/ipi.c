/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "ipi": the yardstick. One interrupt command for each target, a handler that stores one word (written by hand in arch/),
 * until all have stored it. No shared code runs in the handler, so this is the floor of anything that interrupts. Variants: the
 * targets spin in the kernel, or are halted. (Workload B12.)
 */
#include "arch/irq.h"
#include "bench.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/stats.h"
#include "machine.h"
#include "smp/wait.h"

struct round {
	struct cpumask targets;
	struct meeting meeting;
	struct word stop;
	bool halted;
	u64 *samples;
	unsigned n;
};

static u64 one(struct round *r)
{
	unsigned cpu;
	u64 begin;

	for_each_cpu(cpu, &r->targets)
		store_relaxed(&machine.cpu[cpu].smp.yardstick, 0);
	begin = clock_begin();
	ipi_send(IPI_YARDSTICK, &r->targets);
	for_each_cpu(cpu, &r->targets)
		wait_until(&machine.cpu[cpu].smp.yardstick, WAIT_EQ, 1, "a raw interrupt");
	return clock_end() - begin;
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	unsigned i;
	u64 ticks;

	meet(&r->meeting, "the targets of raw interrupts");
	if (index) {
		if (r->halted)
			wait_idle(&r->stop, WAIT_EQ, 1, "the end of raw interrupts", false);
		else
			wait_until(&r->stop, WAIT_EQ, 1, "the end of raw interrupts");
		return;
	}
	for (i = 0; i <= r->n; i++) {
		if (r->halted)
			wait_briefly(clock_info()->ticks_per_us * 20); /* they need time to halt again */
		ticks = one(r);
		if (i) /* the first one starts cold */
			r->samples[i - 1] = ticks;
	}
	store_release(&r->stop, 1);
	for_each_cpu(i, &r->targets)
		cpu_wake(i);
}

static void run(unsigned cpus, bool halted, u64 *samples, unsigned n)
{
	struct round r = { .meeting = { .n = cpus }, .halted = halted, .samples = samples, .n = n };

	cpumask_first_n(&machine.shootdown.scratch, cpus);
	r.targets = machine.shootdown.scratch;
	cpumask_clear(&r.targets, 0);
	workers_run(&machine.shootdown.scratch, job, &r);
}

u64 raw_ipi_p50(unsigned cpus, bool halted)
{
	u64 samples[ROUND_SAMPLES];

	if (cpus < 2)
		return 0;
	run(cpus, halted, samples, ROUND_SAMPLES);
	return stats_of(samples, ROUND_SAMPLES).p50;
}

static const char *variant(unsigned i, unsigned cpus, char *buf, size_t size)
{
	(void)cpus;
	if (i > 1)
		return NULL;
	ksnprintf(buf, size, "targets=%s", i ? "halt" : "spin");
	return buf;
}

static bool round(struct bench_run *r)
{
	bench_start(r);
	run(r->cpus, r->variant, r->samples, r->wanted);
	r->n = r->wanted;
	r->ops = r->n + 1;
	r->targets = r->cpus - 1;
	bench_stop(r);
	return true;
}

BENCH(ipi, .help = "raw interrupt round trip, the yardstick", .min_cpus = 2, .no_strategy = true,
      .variant = variant, .round = round);
