/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that a target serves in reverse: CPU 1 has interrupts off until a wide one of CPU 0 and, behind it, a narrow one of CPU
 * 2 are queued. Calls are taken newest first, so the narrow one comes first; it must not be taken for both. State: struct reversed.
 */
#include "arch/clock.h"
#include "arch/irq.h"
#include "machine.h"
#include "smp/wait.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(any_generation);

#define MAX_MS 500 /* for both requests to come */
#define MAX_WIDE 512

struct reversed {
	struct mm *mm;
	u64 wide; /* pages that CPU 0 zaps: more than the ceiling; CPU 2 zaps the one after them */
	struct word ready, first_queued, done;
	struct word held, stale;
	bool both; /* the target's: two requests were there at once. Read when all have ended */
};

static struct va page_at(u64 page)
{
	return va_add(TEST_VA, page * PAGE_SIZE);
}

static void hold(struct reversed *r)
{
	u64 page;

	switch_mm(r->mm);
	for (page = 0; page <= r->wide; page++)
		if (oracle_reads_old(page_at(page), va_load(page_at(page))))
			add_full(&r->held, 1);
}

/* Interrupts are off. True: two requests came before time was up. */
static bool collect(struct reversed *r)
{
	u64 end = clock_now() + MAX_MS * clock_info()->khz, newest = 0, head;
	unsigned n = 0;

	/* No spin: it gives up by itself, and may not serve what comes, as wait_until() would. */
	while (n < 2 && clock_now() < end) {
		head = load_acquire(&this_cpu()->smp.call_list);
		n += head != newest;
		newest = head;
		if (n)
			store_release(&r->first_queued, 1);
	}
	store_release(&r->first_queued, 1);
	return n == 2;
}

static void target(struct reversed *r)
{
	bool irqs;
	u64 page;

	hold(r);
	irqs = irq_save();
	store_release(&r->ready, 1);
	r->both = collect(r);
	irq_restore(irqs);
	wait_until(&r->done, WAIT_EQ, 2, "two zaps");
	for (page = r->wide + 1; page-- > 0;)
		if (!va_load(page_at(page)).fault)
			add_full(&r->stale, 1);
}

static void job(void *arg, unsigned index)
{
	struct reversed *r = arg;

	if (index == 1) {
		target(r);
		return;
	}
	wait_until(index ? &r->first_queued : &r->ready, WAIT_EQ, 1, "the target, or the first zap's request");
	if (index)
		mm_zap(r->mm, page_at(r->wide), PAGE_SIZE);
	else
		mm_zap(r->mm, page_at(0), r->wide * PAGE_SIZE);
	add_full(&r->done, 1);
}

static bool reversed_requests(struct test_run *t)
{
	struct reversed r = { .wide = MIN(t->strategy->value[STAGE_SCOPE] + 1, MAX_WIDE) };
	u64 stale;

	r.mm = oracle_mm(TEST_VA, r.wide + 1, 0, RW_USER);
	if (!r.mm)
		return test_no_frames(t);
	cpumask_first_n(&machine.shootdown.scratch, 3);
	workers_run(&machine.shootdown.scratch, job, &r);
	mm_destroy(r.mm);
	stale = load_relaxed(&r.stale);
	if (stale)
		return test_fail(t, "%llu pages were still there after both zaps", (unsigned long long)stale);
	if (!r.both) {
		test_fail(t, "two requests did not come together at one target");
		t->skip = true;
		return true;
	}
	if (load_relaxed(&r.held) != r.wide + 1)
		return test_vacuous(t, load_relaxed(&r.held), r.wide + 1);
	return true;
}
TEST(reversed_requests, .help = "a narrow request that is served before an older, wide one does not stand for both", .min_cpus = 3,
     .run = reversed_requests, .detects = { { &sabotage_any_generation, SEEN_ALL } });
