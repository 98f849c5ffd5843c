/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "madvise": the loop of will-it-scale tlb_flush2. Every CPU, on a window of its own: store to a page (fault), zap it, load it (fault, must
 * read 0). space=shared: one mm, so each zap is a shootdown of all CPUs although none of them ever touched the page (all targets
 * useless); space=private: an mm for each CPU, no shootdown at all. One operation = one page. (Workload B1.)
 */
#include "arch/access.h"
#include "bench.h"
#include "bench/common.h"
#include "lib/printf.h"
#include "machine.h"
#include "mm/switch.h"

#define BASE 0x40000000ull
#define WINDOW (1ull << 20)
#define BATCH 8

enum space { SPACE_SHARED, SPACE_PRIVATE };

struct round {
	struct bench_run *r;
	struct mm *shared; /* NULL: private */
	struct meeting meeting;
	struct word failed, ops;
};

static bool one_op(struct mm *mm, struct va va)
{
	struct access a;

	if (va_store(va, 1).fault)
		return false;
	mm_zap(mm, va, PAGE_SIZE);
	a = va_load(va);
	/* Under a strategy that does not flush other CPUs this one is flushed all the same: 0 is right always. */
	return !a.fault && a.value == 0;
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	unsigned each = MAX(r->r->wanted / r->r->cpus, 1u), i, k;
	struct mm *mm = r->shared ? r->shared : mm_create();
	u64 window = BASE + index * WINDOW;
	bool ok = mm && (r->shared || !mm_add_region(mm, VA(window), WINDOW, PROT_READ | PROT_WRITE | PROT_USER));

	if (ok)
		switch_mm(mm);
	meet(&r->meeting, "the start of the madvise loop");
	for (i = 0; ok && i < each; i++) {
		u64 begin = clock_begin(), ticks;

		for (k = 0; k < BATCH; k++)
			ok &= one_op(mm, VA(window + (i * BATCH + k) * PAGE_SIZE));
		ticks = clock_end() - begin;
		add_full(&r->ops, BATCH);
		if (index * each + i < r->r->wanted)
			r->r->samples[index * each + i] = ticks;
		bench_make_room(r->r->cpus * BATCH * 2);
	}
	if (!ok)
		store_relaxed(&r->failed, 1);
	meet(&r->meeting, "the end of the madvise loop");
	if (!r->shared && mm)
		mm_destroy(mm);
}

static const char *variant(unsigned i, unsigned cpus, char *buf, size_t size)
{
	(void)cpus;
	if (i > SPACE_PRIVATE)
		return NULL;
	ksnprintf(buf, size, "space=%s", i == SPACE_SHARED ? "shared" : "private");
	return buf;
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .meeting = { .n = run->cpus } };
	unsigned each = MAX(run->wanted / run->cpus, 1u);

	if (run->variant == SPACE_SHARED) {
		r.shared = mm_create();
		if (!r.shared)
			return bench_fail(run, "out of frames: see option frames");
		mm_add_region(r.shared, VA(BASE), run->cpus * WINDOW, PROT_READ | PROT_WRITE | PROT_USER);
	}
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	bench_start(run);
	workers_run(&machine.shootdown.scratch, job, &r);
	bench_stop(run);
	run->n = MIN(each * run->cpus, run->wanted);
	run->ops = load_relaxed(&r.ops);
	if (r.shared)
		mm_destroy(r.shared);
	return load_relaxed(&r.failed) ? bench_fail(run, "a page could not be had, or was not zero after the zap") : true;
}

BENCH(madvise, .help = "tlb_flush2's loop: store, zap, load a page, on every CPU at once", .min_cpus = 1, .pages = 1, .batch = BATCH,
      .variant = variant, .round = round);
