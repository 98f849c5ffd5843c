/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One page, and all of one page's changes: read and write after unmap, zap, remap, protect, on 1, 2, 3 and all other CPUs.
 */
#include "arch/frame.h"
#include "check.h"
#include "machine.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);

static void unmap(struct oracle *o)
{
	mm_unmap(o->mm, o->va, o->pages * o->stride);
}

static void zap(struct oracle *o)
{
	mm_zap(o->mm, o->va, o->pages * o->stride);
}

static void protect(struct oracle *o)
{
	mm_protect(o->mm, o->va, o->pages * o->stride, PROT_READ | PROT_USER);
}

static void remap(struct oracle *o)
{
	struct pa pa = frame_alloc(FRAME_DATA);

	CHECK(!pa_is_none(pa));
	frame_fill(pa, PAGE_SIZE, oracle_new(0));
	mm_remap(o->mm, o->va, pa, PROT_READ | PROT_WRITE | PROT_USER);
}

/* One page seen by 1, 2, 3 and all others, each in an mm of its own. */
static bool one_page(struct test_run *t, void (*change)(struct oracle *), bool (*right)(const struct oracle *, u64, struct access), bool store)
{
	unsigned others[] = { 1, 2, 3, t->cpus - 1 }, i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(others) && ok; i++) {
		struct oracle o = { .t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .change = change, .right = right, .store = store };

		if (others[i] > t->cpus - 1)
			continue;
		o.mm = oracle_mm(o.va, 1, 0, PROT_READ | PROT_WRITE | PROT_USER);
		if (!o.mm)
			return test_fail(t, "out of frames");
		ok = oracle_run(&o, others[i]);
		mm_destroy(o.mm);
	}
	return ok;
}

#define LEAF_SABOTAGES                                                   \
	{                                                                \
		{ .sabotage = &sabotage_none, .seen = SEEN_ALL }, \
	}

static bool read_after_unmap(struct test_run *t)
{
	return one_page(t, unmap, oracle_faults, false);
}
TEST(read_after_unmap, .help = "a load after munmap faults, on 1, 2, 3 and all other CPUs", .min_cpus = 2, .run = read_after_unmap,
     .detects = LEAF_SABOTAGES);

static bool write_after_unmap(struct test_run *t)
{
	return one_page(t, unmap, oracle_faults, true);
}
TEST(write_after_unmap, .help = "a store after munmap faults", .min_cpus = 2, .run = write_after_unmap, .detects = LEAF_SABOTAGES);

static bool read_after_zap(struct test_run *t)
{
	return one_page(t, zap, oracle_faults, false);
}
TEST(read_after_zap, .help = "a load after MADV_DONTNEED outside a region faults", .min_cpus = 2, .run = read_after_zap, .detects = LEAF_SABOTAGES);

static bool read_after_remap(struct test_run *t)
{
	return one_page(t, remap, oracle_reads_new, false);
}
TEST(read_after_remap, .help = "a load after the frame was exchanged reads the new one", .min_cpus = 2, .run = read_after_remap,
     .detects = LEAF_SABOTAGES);

static bool write_after_protect(struct test_run *t)
{
	return one_page(t, protect, oracle_faults, true);
}
TEST(write_after_protect, .help = "a store after write access was taken away faults", .min_cpus = 2, .run = write_after_protect,
     .detects = LEAF_SABOTAGES);
