/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmarks. A benchmark is one const struct; the harness (bench/harness.c) makes cells of it, one for each combination of cpus=,
 * pages=, others= and its own variants, and runs each cell in rounds: in every round each strategy once, in an order shuffled by
 * seed=, freshly installed and with fresh address spaces, until there are repeat= samples of each or time= is over. So slow drifts
 * of the machine hit all strategies alike.
 *
 *	static bool round(struct bench_run *r) { ... bench_start(r); ...; bench_sample(r, ticks); ... bench_stop(r); return true; }
 *	BENCH(latency, .help = "...", .min_cpus = 2, .by_pages = true, .round = round);
 */
#ifndef BENCH_H
#define BENCH_H

#include "arch/clock.h"
#include "mm/shootdown/strategy.h"
#include "registry.h"

#define ROUND_SAMPLES 20 /* per strategy and round, at most */

/* One strategy in one round of one cell. */
struct bench_run {
	const struct bench *bench;
	const struct strategy *strategy; /* installed */
	unsigned cpus; /* taking part: 0..cpus-1; 0 is the initiator where there is one */
	u64 pages;
	unsigned variant; /* index into bench->variants */
	unsigned batch; /* operations per sample */
	unsigned wanted; /* samples in this round */
	u64 *samples; /* room for `wanted` */
	unsigned n; /* samples so far */
	u64 ops; /* operations between bench_start() and bench_stop(), warm-up included: what counters are divided by */
	unsigned targets; /* other CPUs whose entries an operation has to reach */
	unsigned held, holders; /* latency: translations found held, and looked for */
	char error[96]; /* with return false */
};

struct bench {
	const char *name, *help;
	unsigned min_cpus;
	bool by_pages; /* sweeps pages=; else the pages field is `pages` */
	u64 pages;
	bool by_others; /* sweeps others=; else the CPUs that take no part are parked */
	bool no_strategy; /* measures the machine: under the boot strategy only */
	unsigned batch; /* operations per sample, at least; 0 = 1. Reported figures are per operation */
	bool batches; /* round() heeds bench_run.batch, which is more where the clock is coarse */
	/* Text "name=value" of variant i, NULL when there are no more (variant 0 of a benchmark without variants is ""). */
	const char *(*variant)(unsigned i, unsigned cpus, char *buf, size_t size);
	bool (*round)(struct bench_run *r);
};

#define BENCH(sym, ...) REGISTRY_ENTRY(benches, bench, bench_##sym) = { .name = #sym, __VA_ARGS__ }
REGISTRY_DECLARE(benches, bench);

void bench_sample(struct bench_run *r, u64 ticks);
bool bench_fail(struct bench_run *r, const char *why); /* returns false */

/*
 * Brackets what counters count; making and ending mms, and looking whether entries are held, stay outside. On CPU 0, while the
 * others do nothing. What is inside without being timed (populating) does not flush.
 */
void bench_start(struct bench_run *r);
void bench_stop(struct bench_run *r);

/* Reserves memory for samples; before frames_init(). */
void bench_init(void);

/* NULL, or one line: an option asks for what this machine does not have. */
const char *bench_check(char *buf, size_t size);

/* Runs what bench= names. False: one could not be run. */
bool benches_run(void);

/* How many result records that will give, if every cell succeeds. */
u64 benches_planned(void);

/* p50 of `n` raw IPI round trips to CPUs 1..cpus-1 (see bench/ipi.c); 0 for one CPU. */
u64 raw_ipi_p50(unsigned cpus, bool halted);

/*
 * One instruction (or short sequence) of this ISA, for benchmark "insn". Declared in arch/<isa>; .run executes it n times
 * (the function's name is run_ and the symbol), and what that leaves under way .settle waits for. Interrupts off, KMM loaded.
 */
struct insn_op {
	const char *name, *help;
	const char *(*missing)(void); /* NULL, or what this machine lacks; may be NULL */
	void (*run)(unsigned n);
	void (*settle)(void); /* after each sample, not measured; may be NULL */
};

#define INSN_OP(sym, ...) REGISTRY_ENTRY(insns, insn_op, insn_##sym) = { .run = run_##sym, __VA_ARGS__ }
REGISTRY_DECLARE(insns, insn_op);

#endif
