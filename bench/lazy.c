/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "lazy": as latency with one page, but some of the sharers have dropped to the kernel: the user root still loaded,
 * lazily, halted, touching no user address. The share of lazy ones grows over the variants. Timed is the zap; afterwards every
 * sharer comes back and touches the page, so that lazy ones catch up.
 */
#include "arch/access.h"
#include "bench.h"
#include "bench/common.h"
#include "lib/printf.h"
#include "machine.h"
#include "mm/switch.h"
#include "smp/wait.h"

#define BASE VA(0x30000000)

struct round {
	struct bench_run *r;
	struct mm *mm;
	unsigned lazy;
	struct meeting meeting;
	struct word zapped; /* samples taken so far */
	struct word gone; /* times that a sharer went lazy */
	bool out_of_frames;
};

/* Number i of 0, 1, 2, 4, ... and all sharers. */
static bool nth_lazy(unsigned i, unsigned sharers, unsigned *lazy)
{
	unsigned n;

	if (!i) {
		*lazy = 0;
		return true;
	}
	for (n = 1; --i && n < sharers;)
		n *= 2;
	*lazy = MIN(n, sharers);
	return !i;
}

static const char *variant(unsigned i, unsigned cpus, char *buf, size_t size)
{
	unsigned lazy;

	if (!nth_lazy(i, cpus - 1, &lazy))
		return NULL;
	ksnprintf(buf, size, "lazy=%u", lazy);
	return buf;
}

static void initiate(struct round *r, unsigned i)
{
	u64 begin, ticks;
	unsigned cpu;

	wait_until(&r->gone, WAIT_EQ, (u64)r->lazy * (i + 1), "sharers to go lazy");
	wait_briefly(clock_info()->ticks_per_us * 20); /* and to get to their halt */
	begin = clock_begin();
	mm_zap(r->mm, BASE, PAGE_SIZE);
	ticks = clock_end() - begin;
	if (i) /* the first one starts cold, after the strategy was installed */
		bench_sample(r->r, ticks);
	store_release(&r->zapped, i + 1);
	for (cpu = r->r->cpus - r->lazy; cpu < r->r->cpus; cpu++)
		cpu_wake(cpu);
}

static void share(struct round *r, unsigned index, unsigned i)
{
	if (index < r->r->cpus - r->lazy) {
		wait_until(&r->zapped, WAIT_GE, i + 1, "the zap");
	} else {
		switch_lazy();
		add_full(&r->gone, 1);
		wait_idle(&r->zapped, WAIT_GE, i + 1, "the zap", false);
		switch_mm(r->mm);
	}
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	unsigned i;

	switch_mm(r->mm);
	for (i = 0; i <= r->r->wanted; i++) {
		if (!index) {
			bench_make_room();
			r->out_of_frames |= !mm_populate(r->mm, BASE, 1, 0, PROT_READ | PROT_WRITE | PROT_USER);
		}
		meet(&r->meeting, "a fresh page");
		va_load(BASE);
		meet(&r->meeting, "the sharers' touch");
		if (!index)
			initiate(r, i);
		else
			share(r, index, i);
	}
	/* Nobody leaves, and becomes lazy, before the last zap. */
	meet(&r->meeting, "the last zap");
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .mm = mm_create(), .meeting = { .n = run->cpus } };

	if (!r.mm)
		return bench_fail(run, "out of frames: see option frames");
	nth_lazy(run->variant, run->cpus - 1, &r.lazy);
	cpumask_first_n(&machine.shootdown.scratch, run->cpus);
	bench_start(run);
	workers_run(&machine.shootdown.scratch, job, &r);
	run->ops = run->n + 1;
	run->targets = run->cpus - 1;
	bench_stop(run);
	mm_destroy(r.mm);
	return r.out_of_frames ? bench_fail(run, "out of frames: see option frames") : true;
}

BENCH(lazy, .help = "time of a one-page zap while a growing share of the sharers is lazy", .min_cpus = 2, .pages = 1,
      .variant = variant, .round = round);
