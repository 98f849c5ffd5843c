/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "switch": each CPU alternates between two mms of its own and touches a page of each. flusher=no: nothing else happens. flusher=yes: CPU 0 switches nothing,
 * but zaps a page of CPU 1's first mm again and again, whether that is loaded there or not. One operation = one switch. (Workload B2, bare-metal form.)
 */
#include "arch/access.h"
#include "bench.h"
#include "bench/common.h"
#include "lib/printf.h"
#include "machine.h"
#include "mm/switch.h"

#define BASE VA(0x50000000)
#define BATCH 8

struct round {
	struct bench_run *r;
	bool flusher;
	struct mm *victim; /* CPU 1's first mm; written before the first meeting */
	struct meeting meeting;
	struct word finished, failed, ops;
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

static void alternate(struct round *r, struct mm *a, struct mm *b, unsigned slot, unsigned each)
{
	unsigned i, k;

	for (i = 0; i < each; i++) {
		u64 begin = clock_begin(), ticks;

		for (k = 0; k < BATCH; k += 2) {
			switch_mm(b);
			va_load(BASE);
			switch_mm(a);
			va_load(BASE);
		}
		ticks = clock_end() - begin;
		add_full(&r->ops, BATCH);
		if (slot * each + i < r->r->wanted)
			r->r->samples[slot * each + i] = ticks;
	}
}

/* The page beside the one that the others touch: the shootdown is what disturbs, not a fault. */
static void flush_beside(struct round *r)
{
	struct va va = va_add(BASE, PAGE_SIZE);

	while (load_acquire(&r->finished) < r->r->cpus - 1) {
		bench_make_room(1);
		if (!mm_populate(r->victim, va, 1, 0, PROT_READ | PROT_WRITE | PROT_USER)) {
			store_relaxed(&r->failed, 1);
			return;
		}
		mm_zap(r->victim, va, PAGE_SIZE);
	}
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	unsigned switchers = r->r->cpus - r->flusher, each = MAX(r->r->wanted / switchers, 1u);
	bool idle = r->flusher && !index;
	struct mm *a = idle ? NULL : make_mm(), *b = idle ? NULL : make_mm();

	if (index == 1)
		r->victim = a;
	if (!idle && (!a || !b))
		store_relaxed(&r->failed, 1);
	meet(&r->meeting, "the mms");
	if (!load_relaxed(&r->failed)) {
		if (idle) {
			flush_beside(r);
		} else {
			switch_mm(a);
			alternate(r, a, b, index - r->flusher, each);
			add_full(&r->finished, 1);
		}
	}
	meet(&r->meeting, "the end of switching");
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

	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	bench_start(run);
	workers_run(&machine.shootdown.scratch, job, &r);
	bench_stop(run);
	run->n = MIN(MAX(run->wanted / switchers, 1u) * switchers, run->wanted);
	run->ops = load_relaxed(&r.ops);
	return load_relaxed(&r.failed) ? bench_fail(run, "out of frames: see option frames") : true;
}

BENCH(switch, .help = "switching between two mms on each CPU, with and without flushes beside it", .min_cpus = 1, .batch = BATCH,
      .variant = variant, .round = round);
