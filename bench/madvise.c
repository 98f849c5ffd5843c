/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "madvise": the loop of will-it-scale tlb_flush2. Every CPU, on a window of its own: store to a page (fault), zap it,
 * load it (fault, must read 0). space=shared: one mm, so each zap is a shootdown of all CPUs although none of them ever touched the
 * page (all targets useless); space=private: an mm for each CPU, no shootdown at all. One operation = one page. (Workload B1.)
 */
#include "arch/access.h"
#include "bench.h"
#include "lib/printf.h"
#include "lib/stats.h"
#include "machine.h"
#include "mm/switch.h"

#define BASE 0x40000000ull
#define WINDOW (1ull << 20)
#define BATCH 8

enum space { SPACE_SHARED, SPACE_PRIVATE };

struct round {
	struct bench_run *r;
	struct mm *shared; /* NULL: private */
	unsigned first; /* CPU that has the first sample */
	struct meeting meeting;
	struct word failed;
};

_Static_assert((ROUND_SAMPLES + 1) * BATCH * PAGE_SIZE <= WINDOW, "a round stays in the window");

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

/* Whose sample number i is: CPUs take turns, from another one each round, so that all are heard even if samples are fewer. */
static bool mine(const struct round *r, unsigned index, unsigned i)
{
	return (i + r->first) % r->r->cpus == index;
}

/* All CPUs are at work all the time. Batch 0 makes the tables of the window and is not a sample. */
static bool loop(struct round *r, struct mm *mm, unsigned index)
{
	u64 page = BASE + index * WINDOW;
	bool ok = true;
	unsigned i, k;

	for (i = 0; i <= r->r->wanted; i++) {
		u64 begin = clock_begin(), ticks;

		for (k = 0; k < BATCH; k++, page += PAGE_SIZE)
			ok &= one_op(mm, VA(page));
		ticks = clock_end() - begin;
		if (i && mine(r, index, i - 1))
			r->r->samples[i - 1] = ticks;
	}
	return ok;
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	struct mm *mm = r->shared ? r->shared : mm_create();
	bool ok = mm && (r->shared || !mm_add_region(mm, VA(BASE + index * WINDOW), WINDOW, PROT_READ | PROT_WRITE | PROT_USER));

	if (ok)
		switch_mm(mm);
	meet(&r->meeting, "the mms of the madvise loop");
	if (!index)
		bench_start(r->r);
	meet(&r->meeting, "the start of the madvise loop");
	if (!ok || !loop(r, mm, index))
		store_relaxed(&r->failed, 1);
	meet(&r->meeting, "the end of the madvise loop");
	if (!index)
		bench_stop(r->r);
	meet(&r->meeting, "the count of the madvise loop");
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
	struct round r = { .r = run, .meeting = { .n = run->cpus }, .first = random_below(&machine.bench.random, run->cpus) };

	if (run->variant == SPACE_SHARED) {
		r.shared = mm_create();
		if (!r.shared)
			return bench_fail(run, "out of frames: see option frames");
		mm_add_region(r.shared, VA(BASE), run->cpus * WINDOW, PROT_READ | PROT_WRITE | PROT_USER);
	}
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	workers_run(&machine.shootdown.scratch, job, &r);
	run->n = run->wanted;
	run->ops = (u64)(run->wanted + 1) * BATCH * run->cpus;
	run->targets = r.shared ? run->cpus - 1 : 0;
	if (r.shared)
		mm_destroy(r.shared);
	return load_relaxed(&r.failed) ? bench_fail(run, "a page could not be had, or was not zero after the zap") : true;
}

BENCH(madvise, .help = "tlb_flush2's loop: store, zap, load a page, on every CPU at once", .min_cpus = 1, .pages = 1,
      .batch = BATCH, .variant = variant, .round = round);
