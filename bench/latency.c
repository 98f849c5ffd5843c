/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "latency": one CPU zaps pages (MADV_DONTNEED) that all others hold in their TLBs; only the call is timed. The sharers
 * spin in the kernel with the mm loaded, not lazy. (Workload B7: all targets useful.)
 *
 * That sharers hold the entries is not believed but looked at, once a round and unmeasured: Accessed is cleared without a flush, a
 * sharer touches the pages again, and where Accessed stays clear its TLB was hit. Records carry `held` of `holders` looked for.
 *
 * Where the clock is coarse a sample is several zaps, each of pages of its own, which are all held.
 */
#include "arch/access.h"
#include "bench.h"
#include "bench/common.h"
#include "check.h"
#include "machine.h"
#include "mm/switch.h"

#define BASE VA(0x20000000)

struct round {
	struct bench_run *r;
	struct mm *mm;
	struct meeting meeting;
	bool out_of_frames;
};

static u64 all_pages(const struct round *r)
{
	return r->r->pages * r->r->batch;
}

static void touch_all(const struct round *r)
{
	u64 page;

	for (page = 0; page < all_pages(r); page++)
		va_load(va_add(BASE, page * PAGE_SIZE));
}

/* Index 0: a fresh set of pages; the others wait. */
static void renew(struct round *r, unsigned index)
{
	if (!index) {
		bench_make_room();
		if (!mm_populate(r->mm, BASE, all_pages(r), 0, PROT_READ | PROT_WRITE | PROT_USER))
			r->out_of_frames = true;
	}
	meet(&r->meeting, "fresh pages");
	touch_all(r);
	meet(&r->meeting, "the sharers' touch");
}

static u64 zaps_timed(const struct round *r)
{
	u64 bytes = r->r->pages * PAGE_SIZE, begin = clock_begin();
	unsigned i;

	for (i = 0; i < r->r->batch; i++)
		mm_zap(r->mm, va_add(BASE, i * bytes), bytes);
	return clock_end() - begin;
}

static void measure(void *arg, unsigned index)
{
	struct round *r = arg;
	unsigned i;

	switch_mm(r->mm);
	for (i = 0; i <= r->r->wanted; i++) {
		renew(r, index);
		if (!index) {
			u64 ticks = zaps_timed(r);

			if (i) /* the first one starts cold, after the strategy was installed */
				bench_sample(r->r, ticks);
		}
	}
	/* Nobody leaves, and becomes lazy, before the last zap. */
	meet(&r->meeting, "the last zap");
}

/* The first and the last sharer, one after the other. */
static void verify(void *arg, unsigned index)
{
	struct round *r = arg;
	unsigned last = r->r->cpus - 1, who;
	u64 page;

	switch_mm(r->mm);
	renew(r, index);
	for (who = 1; who <= last; who += MAX(last - 1, 1u)) {
		if (!index)
			for (page = 0; page < all_pages(r); page++)
				mm_test_and_clear_young(r->mm, va_add(BASE, page * PAGE_SIZE));
		meet(&r->meeting, "Accessed to be cleared");
		/* Backwards: what was touched last is what a small TLB still has. */
		if (index == who)
			for (page = all_pages(r); page-- > 0;)
				va_load(va_add(BASE, page * PAGE_SIZE));
		meet(&r->meeting, "a sharer's second touch");
		if (!index) {
			for (page = 0; page < all_pages(r); page++)
				r->r->held += !mm_test_and_clear_young(r->mm, va_add(BASE, page * PAGE_SIZE));
			r->r->holders += all_pages(r);
		}
	}
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .mm = mm_create(), .meeting = { .n = run->cpus } };

	if (!r.mm)
		return bench_fail(run, "out of frames: see option frames");
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	bench_start(run);
	workers_run(&machine.shootdown.scratch, measure, &r);
	run->ops = (u64)(run->n + 1) * run->batch;
	run->targets = run->cpus - 1;
	bench_stop(run);
	if (run->cpus > 1)
		workers_run(&machine.shootdown.scratch, verify, &r);
	mm_destroy(r.mm);
	return r.out_of_frames ? bench_fail(run, "out of frames: see option frames") : true;
}

BENCH(latency, .help = "time of a zap of pages that all other CPUs hold", .min_cpus = 1, .by_pages = true,
      .batches = true, .by_others = true, .round = round);
