/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "insn": cost of single instructions of this ISA, on CPUs 0..cpus-1 at once: with one CPU the instruction, with more
 * what they cost each other (broadcasts and interrupt commands share the fabric, locked operations a line); others= says what the
 * rest do meanwhile. One variant for each that this machine has; those it lacks are named with what is missing. Back to back, so
 * this is throughput of a stream, loop included; figures are per instruction of one CPU.
 */
#include "bench.h"
#include "lib/printf.h"
#include "lib/stats.h"
#include "machine.h"
#include "mm/switch.h"
#include "smp/crumb.h"
#include "smp/wait.h"

#define BATCH 64
#define MAX_MORE 1000000 /* batches while others finish: an end if one never does */
#define BREATH 100 /* clock ticks */

struct round {
	struct bench_run *r;
	const struct insn_op *op;
	unsigned first; /* CPU that has the first sample */
	struct meeting meeting;
	struct word finished;
};

static const struct insn_op *nth(unsigned i)
{
	const struct insn_op *op;

	REGISTRY_FOR_EACH (op, insns)
		if (!(op->missing && op->missing()) && !i--)
			return op;
	return NULL;
}

static const char *variant(unsigned i, unsigned cpus, char *buf, size_t size)
{
	const struct insn_op *op = nth(i);

	(void)cpus;
	if (!op)
		return NULL;
	ksnprintf(buf, size, "op=%s", op->name);
	return buf;
}

/* In ticks. */
static u64 run_batch(const struct insn_op *op, unsigned batch)
{
	u64 begin = clock_begin(), ticks;

	op->run(batch);
	ticks = clock_end() - begin;
	if (op->settle)
		op->settle();
	return ticks;
}

/* All CPUs are at work all the time; samples go round among them, from another one each round. Batch 0 is not a sample. */
static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	bool irqs = irq_save_for("single instructions");
	unsigned i;

	switch_to_kernel();
	meet(&r->meeting, "the start of a single instruction");
	for (i = 0; i <= r->r->wanted; i++) {
		u64 ticks = run_batch(r->op, r->r->batch);

		if (i && (i - 1 + r->first) % r->r->cpus == index)
			r->r->samples[i - 1] = ticks;
	}
	add_full(&r->finished, 1);
	/* No spin: it works until the others have finished too, so that nobody is measured with less company. */
	for (i = 0; i < MAX_MORE && load_acquire(&r->finished) < r->r->cpus; i++) {
		run_batch(r->op, r->r->batch);
		wait_briefly(BREATH); /* virtual CPUs that share a thread get no turn without */
	}
	irq_restore(irqs);
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .op = nth(run->variant), .meeting = { .n = run->cpus } };

	r.first = random_below(&machine.bench.random, run->cpus);
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	workers_run(&machine.shootdown.scratch, job, &r);
	run->n = run->wanted;
	run->ops = (u64)(run->wanted + 1) * run->batch * run->cpus;
	return true;
}

BENCH(insn, .help = "single instructions, on every CPU at once", .min_cpus = 1, .no_strategy = true, .batch = BATCH,
      .batches = true, .by_others = true, .variant = variant, .round = round);
