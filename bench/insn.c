/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "insn": cost of single instructions of this ISA on CPU 0, the others parked. One variant for each that this machine
 * has; the others are named with what is missing. Back to back, so this is throughput of a stream, loop included.
 */
#include "arch/irq.h"
#include "bench.h"
#include "lib/printf.h"
#include "machine.h"
#include "mm/switch.h"

#define BATCH 64

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
static u64 run_batch(const struct insn_op *op)
{
	u64 begin = clock_begin(), ticks;

	op->run(BATCH);
	ticks = clock_end() - begin;
	if (op->settle)
		op->settle();
	return ticks;
}

static bool round(struct bench_run *r)
{
	const struct insn_op *op = nth(r->variant);
	bool irqs = irq_save();
	unsigned i;

	switch_to_kernel();
	run_batch(op); /* warm */
	for (i = 0; i < r->wanted; i++) {
		bench_sample(r, run_batch(op));
		r->ops += BATCH;
	}
	irq_restore(irqs);
	return true;
}

BENCH(insn, .help = "single instructions", .min_cpus = 1, .no_strategy = true, .once = true,
      .batch = BATCH, .variant = variant, .round = round);
