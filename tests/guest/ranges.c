/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranges: sizes around the ceiling, odd starts, borders of tables, 2 MiB leaves, and small leaves that fill a 2 MiB range. At most
 * three other CPUs: who is reached is the business of unmap.c. No state.
 */
#include "lib/printf.h"
#include "lib/string.h"
#include "machine.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(one_short);
SABOTAGE_DECLARE(wide_stride);

#define MAX_PAGES 1100
#define OTHERS(t) MIN((t)->cpus - 1, 3u)

typedef void (*change_fn)(struct oracle *o);

/* `pages` small pages from va; a load must fault afterwards, or a store where only write access goes. */
static bool range(struct test_run *t, change_fn change, struct va va, u64 pages)
{
	bool store = change == oracle_protect;
	struct oracle o = { .t = t,
			    .va = va,
			    .pages = pages,
			    .stride = PAGE_SIZE,
			    .change = change,
			    .right = oracle_faults,
			    .hold_store = store,
			    .look_store = store };

	return !pages || pages > MAX_PAGES || oracle_run_new(&o, OTHERS(t));
}

static bool sizes(struct test_run *t, change_fn change)
{
	u64 ceiling = t->strategy->value[STAGE_SCOPE];
	u64 pages[] = { 2, 1, ceiling - 1, ceiling, ceiling + 1, 512, 513 };
	unsigned i;
	bool ok = true;

	/* From an odd page; and across a border of 1 GiB, where three levels of tables end. */
	for (i = 0; i < ARRAY_SIZE(pages) && ok; i++)
		ok = range(t, change, va_add(TEST_VA, PAGE_SIZE), pages[i]);
	return ok && range(t, change, VA((1ull << 30) - 3 * PAGE_SIZE), 8);
}

static bool range_unmap(struct test_run *t)
{
	return sizes(t, oracle_unmap);
}
TEST(range_unmap, .help = "munmap of 1, 2, 512, 513 pages and around the ceiling, from an odd page, across 1 GiB",
     .run = range_unmap, .detects = { { &sabotage_none, SEEN_ALL, 2 }, { &sabotage_one_short, SEEN_ALL } });

static bool range_protect(struct test_run *t)
{
	return sizes(t, oracle_protect);
}
TEST(range_protect, .help = "the same ranges, write access taken away", .run = range_protect,
     .detects = { { &sabotage_none, SEEN_ALL, 2 }, { &sabotage_one_short, SEEN_ALL } });

/* The strategy under test, but with a ceiling of 1024 pages, so that 512 go one by one. False: it can't have one. */
static bool raise_ceiling(struct test_run *t)
{
	struct strategy *wide = &machine.shootdown.trial;
	char spec[STRATEGY_NAME + 16], error[128];

	if (t->strategy->value[STAGE_SCOPE] >= 512)
		return true;
	ksnprintf(spec, sizeof(spec), "%s+ceiling=1024", t->strategy->name);
	if (!strategy_compose(wide, spec, strlen(spec), false, error, sizeof(error)))
		return false;
	strategy_install(wide);
	return true;
}

static bool small_leaves(struct test_run *t)
{
	/* The strategy of a sabotaged run says itself how many. */
	if (!t->strategy->sabotage && !raise_ceiling(t)) {
		test_fail(t, "its ceiling can't be raised to 512 pages");
		return t->skip = true;
	}
	return range(t, oracle_unmap, TEST_VA, 512) && range(t, oracle_protect, TEST_VA, 512);
}
TEST(small_leaves, .help = "512 small pages that fill a 2 MiB range, flushed one by one", .run = small_leaves,
     .detects = { { &sabotage_none, SEEN_ALL, 2 }, { &sabotage_wide_stride, SEEN_ALL, 1 } });

static bool large(struct test_run *t, bool store, change_fn change, u64 pages)
{
	struct oracle o = { .t = t,
			    .va = TEST_VA,
			    .pages = pages,
			    .stride = LARGE_SIZE,
			    .change = change,
			    .right = oracle_faults,
			    .hold_store = store,
			    .look_store = store };

	return oracle_run_new(&o, OTHERS(t));
}

static bool large_leaves(struct test_run *t)
{
	return large(t, false, oracle_unmap, 3) && large(t, true, oracle_unmap, 1) && large(t, true, oracle_protect, 3);
}
TEST(large_leaves, .help = "1 and 3 leaves of 2 MiB: munmap, and write access taken away", .run = large_leaves,
     .detects = { { &sabotage_none, SEEN_ALL, 2 } });

#define SMALL 5

static void unmap_mixed(struct oracle *o)
{
	mm_unmap(o->mm, TEST_VA, LARGE_SIZE + SMALL * PAGE_SIZE);
}

/* No table goes: who knows the size of what does may say so. */
static void zap_mixed(struct oracle *o)
{
	mm_zap(o->mm, TEST_VA, LARGE_SIZE + SMALL * PAGE_SIZE);
}

/* One leaf of 2 MiB and some of 4 KiB behind it, in one change; held are those from page `first` on. */
static bool mixed(struct test_run *t, u64 first, change_fn change)
{
	struct oracle o = { .t = t, .stride = PAGE_SIZE, .change = change, .right = oracle_faults };
	bool ok;

	o.va = va_add(TEST_VA, first * PAGE_SIZE);
	o.pages = LARGE_SIZE / PAGE_SIZE + SMALL - first;
	o.mm = oracle_mm(TEST_VA, 1, 1, RW_USER);
	if (!o.mm)
		return test_no_frames(t);
	if (mm_populate(o.mm, va_add(TEST_VA, LARGE_SIZE), SMALL, 0, RW_USER)) {
		oracle_fill(o.mm, va_add(TEST_VA, LARGE_SIZE), SMALL, 0);
		ok = oracle_run(&o, OTHERS(t));
	} else {
		ok = test_no_frames(t);
	}
	mm_destroy(o.mm);
	return ok;
}

/* The second time nobody touches the large page: QEMU flushes everything for an INVLPG in one that it has seen. */
static bool mixed_leaves(struct test_run *t)
{
	return mixed(t, 0, unmap_mixed) && mixed(t, LARGE_SIZE / PAGE_SIZE, unmap_mixed) && mixed(t, 0, zap_mixed);
}
TEST(mixed_leaves, .help = "a leaf of 2 MiB and leaves of 4 KiB in one munmap, and in one zap", .run = mixed_leaves,
     .detects = { { &sabotage_none, SEEN_ALL, 2 }, { &sabotage_wide_stride, SEEN_ALL } });
