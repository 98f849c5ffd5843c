/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "switch": each CPU alternates between two mms of its own and touches a page of each. flusher=no: nothing else happens.
 * flusher=yes: CPU 0 switches nothing, but zaps a page of CPU 1's first mm again and again, whether that is loaded there or not.
 * One operation = one switch. (Workload B2, bare-metal form.)
 */
#include "arch/access.h"
#include "bench.h"
#include "bench/common.h"
#include "lib/printf.h"
#include "lib/stats.h"
#include "machine.h"
#include "mm/switch.h"
#include "smp/wait.h"

#define BASE VA(0x50000000)
#define BATCH 8
#define MAX_ZAPS 1000000 /* far more than fit beside a round: an end if a switcher has none */

struct round {
	struct bench_run *r;
	bool flusher;
	struct mm *victim; /* CPU 1's first mm; written before the first meeting */
	struct meeting meeting;
	unsigned first; /* switcher that has the first sample */
	struct word flushing; /* the flusher has begun */
	struct word finished, failed;
};

static struct mm *make_mm(void)
{
	struct mm *mm = mm_create();

	if (mm && mm_populate(mm, BASE, 2, 0, PROT_READ | PROT_WRITE | PROT_USER))
		return mm;
	if (mm)
		mm_destroy(mm);
	return NULL;
}

/* All switchers are at work all the time; samples go round among them. Batch 0 fills caches and is not a sample. */
static void alternate(struct round *r, struct mm *a, struct mm *b, unsigned slot, unsigned switchers)
{
	unsigned i, k;

	if (r->flusher)
		wait_until(&r->flushing, WAIT_EQ, 1, "the flusher to begin");
	for (i = 0; i <= r->r->wanted; i++) {
		u64 begin = clock_begin(), ticks;

		for (k = 0; k < BATCH; k += 2) {
			switch_mm(b);
			va_load(BASE);
			switch_mm(a);
			va_load(BASE);
		}
		ticks = clock_end() - begin;
		if (i && (i - 1 + r->first) % switchers == slot)
			r->r->samples[i - 1] = ticks;
	}
}

static bool all_finished(const struct round *r)
{
	return load_acquire(&r->finished) == r->r->cpus - 1;
}

/* The page beside the one that the others touch: the shootdown is what disturbs, not a fault. */
static void flush_beside(struct round *r)
{
	struct va va = va_add(BASE, PAGE_SIZE);
	unsigned i;

	/* No spin: it works until the others have finished. */
	for (i = 0; i < MAX_ZAPS && !all_finished(r); i++) {
		bench_make_room();
		if (!mm_populate(r->victim, va, 1, 0, PROT_READ | PROT_WRITE | PROT_USER)) {
			store_relaxed(&r->failed, 1);
			store_release(&r->flushing, 1);
			return;
		}
		mm_zap(r->victim, va, PAGE_SIZE);
		store_release(&r->flushing, 1);
	}
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	bool idle = r->flusher && !index;
	struct mm *a = idle ? NULL : make_mm(), *b = idle ? NULL : make_mm();

	if (index == 1)
		r->victim = a;
	if (!idle && (!a || !b))
		store_relaxed(&r->failed, 1);
	else if (!idle)
		switch_mm(a);
	meet(&r->meeting, "the mms");
	if (!index)
		bench_start(r->r);
	meet(&r->meeting, "the start of switching");
	if (!load_relaxed(&r->failed) && idle)
		flush_beside(r);
	else if (!load_relaxed(&r->failed))
		alternate(r, a, b, index - r->flusher, r->r->cpus - r->flusher);
	add_full(&r->finished, !idle);
	meet(&r->meeting, "the end of switching");
	if (!index)
		bench_stop(r->r);
	meet(&r->meeting, "the count of switching");
	if (a)
		mm_destroy(a);
	if (b)
		mm_destroy(b);
}

static const char *variant(unsigned i, unsigned cpus, char *buf, size_t size)
{
	if (i > (cpus > 1))
		return NULL;
	ksnprintf(buf, size, "flusher=%s", i ? "yes" : "no");
	return buf;
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .flusher = run->variant, .meeting = { .n = run->cpus } };
	unsigned switchers = run->cpus - r.flusher;

	r.first = random_below(&machine.bench.random, switchers);
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	workers_run(&machine.shootdown.scratch, job, &r);
	run->n = run->wanted;
	run->ops = (u64)(run->wanted + 1) * BATCH * switchers;
	return load_relaxed(&r.failed) ? bench_fail(run, "out of frames: see option frames") : true;
}

BENCH(switch, .help = "switching between two mms on each CPU, with and without flushes beside it", .min_cpus = 1, .batch = BATCH,
      .variant = variant, .round = round);
