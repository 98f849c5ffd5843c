/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "pageout": CPU 0 reclaims 10 MiB page by page, then flushes what is left of its batch; all other CPUs hold the pages.
 * Timed is the whole, figures are per page. Strategies with batch=N flush once for N pages, others once for each. (Workload B4
 * without I/O, with sharers: on machines that interrupt, one thread alone shows nothing.)
 */
#include "arch/access.h"
#include "bench.h"
#include "bench/common.h"
#include "machine.h"
#include "mm/batch.h"
#include "mm/switch.h"

#define BASE VA(0x70000000)
#define PAGES 2560

struct round {
	struct bench_run *r;
	struct mm *mm;
	struct meeting meeting;
	bool out_of_frames;
};

static u64 reclaim(struct mm *mm)
{
	u64 begin = clock_begin(), page;

	for (page = 0; page < PAGES; page++)
		mm_pageout(mm, va_add(BASE, page * PAGE_SIZE), PAGE_SIZE);
	batch_flush();
	return clock_end() - begin;
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	u64 ticks, page;
	unsigned i;

	switch_mm(r->mm);
	for (i = 0; i <= r->r->wanted; i++) {
		if (!index) {
			bench_make_room();
			r->out_of_frames |= !mm_populate(r->mm, BASE, PAGES, 0, PROT_READ | PROT_WRITE | PROT_USER);
		}
		meet(&r->meeting, "fresh pages");
		for (page = 0; page < PAGES; page++)
			va_load(va_add(BASE, page * PAGE_SIZE));
		meet(&r->meeting, "the sharers' touch");
		if (index)
			continue;
		ticks = reclaim(r->mm);
		if (i) /* the first one starts cold, after the strategy was installed */
			bench_sample(r->r, ticks);
	}
	/* Nobody leaves, and becomes lazy, before the last page is gone. */
	meet(&r->meeting, "the last reclaim");
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .mm = mm_create(), .meeting = { .n = run->cpus } };

	if (!r.mm)
		return bench_fail(run, "out of frames: see option frames");
	run->wanted = MIN(run->wanted, 4u); /* a sample is many operations */
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	bench_start(run);
	workers_run(&machine.shootdown.scratch, job, &r);
	run->ops = (u64)(run->n + 1) * PAGES;
	run->targets = run->cpus - 1;
	bench_stop(run);
	mm_destroy(r.mm);
	return r.out_of_frames ? bench_fail(run, "out of frames: see option frames") : true;
}

BENCH(pageout, .help = "reclaim of 10 MiB that all other CPUs hold, page by page", .min_cpus = 1, .pages = PAGES, .batch = PAGES,
      .round = round);
