/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An mm that only one CPU has run, which others then enter; and one that a CPU leaves and comes back to. Trackers that know when a
 * flusher is alone must know when it is not; the counters say that it was found alone. No state.
 */
#include "machine.h"
#include "mm/batch.h"
#include "mm/switch.h"
#include "smp/wait.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(stays_alone);
SABOTAGE_DECLARE(runs_now);
SABOTAGE_DECLARE(runs_now_parked);
SABOTAGE_DECLARE(count_unflushed);

COUNTER_DECLARE(flush_broadcasts);
COUNTER_DECLARE(flushes_alone);
COUNTER_DECLARE(ipis_sent);
COUNTER_DECLARE(stale_flushes);

#define PAGES 8 /* the first goes while nobody runs the mm, the next three by the only CPU that does, the others under all */
#define ALONE 4

struct first {
	struct mm *mm;
	unsigned held, wrong; /* CPU 0's */
};

static void zap_alone(void *arg, unsigned index)
{
	struct first *f = arg;
	u64 i;

	(void)index;
	switch_mm(f->mm);
	f->wrong += !va_load(TEST_VA).fault;
	for (i = 1; i < ALONE; i++) {
		struct va va = va_add(TEST_VA, i * PAGE_SIZE);

		f->held += oracle_reads_old(va, va_load(va));
		if (i < ALONE - 1) {
			mm_zap(f->mm, va, PAGE_SIZE);
		} else {
			mm_pageout(f->mm, va, PAGE_SIZE);
			batch_flush(); /* nothing waits: there is nobody to broadcast to */
		}
		f->wrong += !va_load(va).fault;
	}
}

static bool not_exactly(struct test_run *t, const struct counter *c, u64 wanted)
{
	u64 sum = counter_sum(c);

	return sum != wanted && !test_fail(t, "counter %s is %llu, not %llu, while one CPU had run the mm", c->name,
					   (unsigned long long)sum, (unsigned long long)wanted);
}

/* After ALONE flushes, the first of them with nobody in the mm: nothing has left this CPU. */
static bool was_alone(struct test_run *t)
{
	const struct strategy *s = t->strategy;

	if (s->sabotage || !(s->traits & SEES_ALONE))
		return true;
	return !(not_exactly(t, &counter_ipis_sent, 0) || not_exactly(t, &counter_flush_broadcasts, 0) ||
		 not_exactly(t, &counter_flushes_alone, s->transport->broadcasts ? ALONE : 0));
}

static bool alone_then_shared(struct test_run *t)
{
	struct oracle o = { .t = t, .va = va_add(TEST_VA, ALONE * PAGE_SIZE), .pages = PAGES - ALONE, .stride = PAGE_SIZE,
			    .change = oracle_zap, .right = oracle_faults };
	struct first f = { .mm = oracle_mm(TEST_VA, PAGES, 0, RW_USER) };
	bool good;

	if (!f.mm)
		return test_no_frames(t);
	mm_zap(f.mm, TEST_VA, PAGE_SIZE);
	cpumask_first_n(&machine.shootdown.scratch, 1);
	workers_run(&machine.shootdown.scratch, zap_alone, &f);
	if (f.held != ALONE - 1)
		good = test_vacuous(t, f.held, ALONE - 1);
	else if (f.wrong)
		good = test_fail(t, "CPU 0 reached %u pages that it had zapped itself", f.wrong);
	else
		good = was_alone(t);
	o.mm = f.mm;
	good = good && oracle_run(&o, t->cpus - 1);
	mm_destroy(f.mm);
	return good;
}
TEST(alone_then_shared, .help = "one CPU zaps pages of an mm that it alone has run, then with all others in it", .min_cpus = 2,
     .run = alone_then_shared, .detects = { { &sabotage_none, SEEN_ALL }, { &sabotage_stays_alone, SEEN_ALL } });

struct back {
	struct mm *mm;
	struct word left, zapped;
	bool held, right; /* CPU 1's */
};

static void come_back(void *arg, unsigned index)
{
	struct back *b = arg;

	if (!index) {
		wait_until(&b->left, WAIT_EQ, 1, "a CPU that leaves");
		switch_mm(b->mm);
		mm_zap(b->mm, TEST_VA, PAGE_SIZE);
		store_release(&b->zapped, 1);
		return;
	}
	switch_mm(b->mm);
	b->held = oracle_reads_old(TEST_VA, va_load(TEST_VA));
	switch_to_kernel();
	store_release(&b->left, 1);
	wait_until(&b->zapped, WAIT_EQ, 1, "the zap");
	switch_mm(b->mm);
	b->right = va_load(TEST_VA).fault;
}

static bool back_after_zap(struct test_run *t)
{
	struct back b = { .mm = oracle_mm(TEST_VA, 1, 0, RW_USER) };
	bool good = true;

	if (!b.mm)
		return test_no_frames(t);
	cpumask_first_n(&machine.shootdown.scratch, 2);
	workers_run(&machine.shootdown.scratch, come_back, &b);
	mm_destroy(b.mm);
	if (!b.held)
		good = test_vacuous(t, 0, 1);
	else if (!b.right)
		good = test_fail(t, "CPU 1 came back and reached the page");
	else if (strategy_has(t->strategy, "count") && !counter_sum(&counter_stale_flushes))
		good = test_fail(t, "CPU 1 was left out, and did not flush");
	return good;
}
/* TCG's arm64 drops everything when the ASID changes: there it takes a CPU that leaves the mm, but not its ASID. */
TEST(back_after_zap, .help = "a CPU leaves an mm, another one enters it and zaps a page, and the first comes back", .min_cpus = 2,
     .run = back_after_zap,
     .detects = { { &sabotage_runs_now, SEEN_SIM | SEEN_HARDWARE },
		  { &sabotage_runs_now_parked, SEEN_TCG_ARM64 | SEEN_HARDWARE },
		  { &sabotage_count_unflushed, SEEN_TCG_ARM64 | SEEN_HARDWARE } });
