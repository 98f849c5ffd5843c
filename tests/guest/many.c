/* SPDX-License-Identifier: BSD-2-Clause */
/* Many initiators at once on one mm: each on a page of its own, all on the same page, with interrupts on and off. No state. */
#include "machine.h"
#include "tests/guest/crowd.h"

COUNTER_DECLARE(flush_broadcasts);
COUNTER_DECLARE(shootdowns);
SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(drops_last);

#define TURNS 2000 /* in all; fewer where time is up first */
#define MAX_LOOKS 100000000 /* of a CPU that goes on until CPU 0 is done */

/* Each CPU writes and zaps its own page and watches its neighbour's. All hold all pages at first, and look at all in the end. */
static void own_pages(void *arg, unsigned index)
{
	struct crowd *c = arg;
	unsigned next = (index + 1) % c->n;
	u64 k;

	switch_mm(c->mm[0]);
	crowd_store(c, index, 1);
	crowd_look_at_all(c);
	for (k = 1; k <= c->turns; k++) {
		crowd_store(c, index, k);
		crowd_look(c, index, k - 1);
		crowd_look(c, next, load_acquire(&c->zapped[next]));
		crowd_zap(c, c->mm[0], index);
		/* Release: whoever sees k is after the flush. */
		store_release(&c->zapped[index], k);
		crowd_look(c, index, k);
		if (crowd_late(c))
			break;
	}
	crowd_look_at_all(c);
}

static bool run_crowd(struct test_run *t, void (*job)(void *arg, unsigned index), bool irqs_off)
{
	struct crowd c = { .irqs_off = irqs_off, .turns = TURNS / t->cpus + 1 };

	if (crowd_init(&c, t, 1))
		workers_run(&machine.shootdown.scratch, job, &c);
	else
		test_no_frames(t);
	if (!crowd_end(&c))
		return false;
	/* The first flush gives the mm its global ASID; by then each CPU may have begun another one, no more. */
	if (strategy_promotes(t->strategy, 1) && counter_sum(&counter_shootdowns) > 2 * t->cpus + 2 &&
	    !counter_sum(&counter_flush_broadcasts))
		return test_fail(t, "nothing was broadcast");
	return true;
}

static bool many_initiators(struct test_run *t)
{
	return run_crowd(t, own_pages, false);
}
TEST(many_initiators, .help = "all CPUs zap pages of one mm at the same time", .min_cpus = 2, .run = many_initiators,
     .detects = { { &sabotage_none, SEEN_ALL & ~SEEN_BOCHS }, { &sabotage_drops_last, SEEN_ALL } });

static bool nested_waits(struct test_run *t)
{
	return run_crowd(t, own_pages, true);
}
TEST(nested_waits, .help = "the same with interrupts off: who waits serves the others", .min_cpus = 2, .run = nested_waits,
     .detects = { { &sabotage_none, SEEN_ALL & ~SEEN_BOCHS } });

static void write_page_0(struct crowd *c)
{
	u64 k;

	for (k = 1; k <= c->turns; k++) {
		crowd_store(c, 0, k);
		store_release(&c->written, k);
		crowd_zap(c, c->mm[0], 0);
		store_release(&c->zapped[0], k);
		crowd_look(c, 0, k);
		if (crowd_late(c))
			break;
	}
	store_release(&c->done, 1);
}

/* A zap of what somebody else wrote, and may be zapping too. */
static void zap_page_0(struct crowd *c)
{
	u64 written = load_acquire(&c->written);

	crowd_zap(c, c->mm[0], 0);
	crowd_look(c, 0, written);
}

/*
 * CPU 0 writes page 0, all but CPU 2 zap it; that one only looks. Whoever's zap found nothing there, because another CPU had taken
 * it away already, has to wait for that flush as if it were its own.
 */
static void same_page(void *arg, unsigned index)
{
	struct crowd *c = arg;
	u64 turn;

	switch_mm(c->mm[0]);
	if (!index)
		crowd_store(c, 0, 1);
	crowd_look_at_all(c);
	if (!index)
		write_page_0(c);
	for (turn = 0; index && turn < MAX_LOOKS; turn++) {
		if (index == 2)
			crowd_look(c, 0, load_acquire(&c->zapped[0]));
		else
			zap_page_0(c);
		if (load_relaxed(&c->done))
			break;
	}
	crowd_look_at_all(c);
}

static bool same_page_zaps(struct test_run *t)
{
	return run_crowd(t, same_page, false);
}
TEST(same_page_zaps, .help = "all CPUs zap one page: each may rely on its return", .min_cpus = 2, .run = same_page_zaps,
     .detects = { { &sabotage_none, SEEN_ALL, 3 } });
