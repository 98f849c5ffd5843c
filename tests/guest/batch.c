/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batched unmap. After batch_flush() nobody may use the reclaimed pages; before it others may, unless somebody who does not know of
 * the batch promises that they are gone: a zap or a protect that finds the entry gone already has to flush for itself (Linux
 * 3ea277194daa). Under strategies without batch=N these are plain zaps.
 */
#include "mm/batch.h"
#include "tests/guest/oracle.h"

#define PAGES 40 /* more than one batch of 32 */

SABOTAGE_DECLARE(none);

static void reclaim(struct oracle *o)
{
	u64 page;

	for (page = 0; page < o->pages; page++)
		mm_pageout(o->mm, va_add(o->va, page * o->stride), o->stride);
}

static void reclaim_and_flush(struct oracle *o)
{
	reclaim(o);
	batch_flush();
}

static void reclaim_and_zap(struct oracle *o)
{
	reclaim(o);
	mm_zap(o->mm, o->va, o->pages * o->stride);
}

static void reclaim_and_protect(struct oracle *o)
{
	reclaim(o);
	mm_protect(o->mm, o->va, o->pages * o->stride, PROT_READ | PROT_USER);
}

static bool run(struct test_run *t, void (*change)(struct oracle *), u64 pages, bool store)
{
	struct oracle o = {
		.t = t, .va = TEST_VA, .pages = pages, .stride = PAGE_SIZE, .change = change, .right = oracle_faults,
		.hold_store = store, .look_store = store,
	};

	return oracle_run_new(&o, t->cpus - 1);
}

#define SEES_NONE                                    \
	.detects = {                                 \
		{ &sabotage_none, SEEN_ALL }, \
	}

static bool reclaim_flush(struct test_run *t)
{
	return run(t, reclaim_and_flush, PAGES, false);
}
TEST(reclaim_flush, .help = "a load after reclaim and the flush of the batch faults", .min_cpus = 2, .run = reclaim_flush,
     SEES_NONE);

/* Few pages, so that the batch is not flushed because it is full. */
static bool reclaim_zap(struct test_run *t)
{
	return run(t, reclaim_and_zap, 3, false);
}
TEST(reclaim_zap, .help = "a load after reclaim and a zap of the same pages faults, be the batch flushed or not",
     .min_cpus = 2, .run = reclaim_zap, SEES_NONE);

static bool reclaim_protect(struct test_run *t)
{
	return run(t, reclaim_and_protect, 3, true);
}
TEST(reclaim_protect, .help = "a store after reclaim and a protect of the same pages faults", .min_cpus = 2,
     .run = reclaim_protect, SEES_NONE);
