/* SPDX-License-Identifier: BSD-2-Clause */
/* One page, and each way of changing it: read and write after unmap, zap, remap, protect, on 1, 2, 3 and all others. No state. */
#include "machine.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(one_short);
SABOTAGE_DECLARE(drops_last);
SABOTAGE_DECLARE(first_32);

#define LEAF_SABOTAGES                                                                                                             \
	{                                                                                                                          \
		{ &sabotage_none, SEEN_ALL, 2 }, { &sabotage_one_short, SEEN_ALL, 1 }, { &sabotage_drops_last, SEEN_ALL, 2 },      \
	}

/* Held by 1, 2, 3 and all others, each time in an mm of its own; `o` is what all have in common. */
static bool one_page(struct oracle o)
{
	unsigned others[] = { 1, 2, 3, o.t->cpus - 1 }, i;
	bool ok = true;

	o.va = TEST_VA;
	o.pages = 1;
	o.stride = PAGE_SIZE;
	for (i = 0; i < ARRAY_SIZE(others) && ok; i++) {
		struct oracle one = o;
		bool again = i == 3 && others[i] >= 1 && others[i] <= 3;

		if (others[i] < o.t->cpus && !again)
			ok = oracle_run_new(&one, others[i]);
	}
	return ok;
}

static bool read_after_unmap(struct test_run *t)
{
	return one_page((struct oracle){ .t = t, .change = oracle_unmap, .right = oracle_faults });
}
TEST(read_after_unmap, .help = "a load after munmap faults, on 1, 2, 3 and all other CPUs", .run = read_after_unmap,
     .detects = LEAF_SABOTAGES);

static bool write_after_unmap(struct test_run *t)
{
	return one_page(
		(struct oracle){ .t = t, .change = oracle_unmap, .right = oracle_faults, .hold_store = true, .look_store = true });
}
TEST(write_after_unmap, .help = "a store after munmap faults", .run = write_after_unmap, .detects = LEAF_SABOTAGES);

static bool read_after_zap(struct test_run *t)
{
	return one_page((struct oracle){ .t = t, .change = oracle_zap, .right = oracle_faults });
}
TEST(read_after_zap, .help = "a load after MADV_DONTNEED outside a region faults", .run = read_after_zap,
     .detects = LEAF_SABOTAGES);

static void zap_in_region(struct oracle *o)
{
	if (mm_add_region(o->mm, o->va, o->pages * o->stride, RW_USER))
		test_fail(o->t, "the region was refused");
	oracle_zap(o);
}

static bool write_after_zap(struct test_run *t)
{
	return one_page(
		(struct oracle){ .t = t, .change = zap_in_region, .right = oracle_works, .hold_store = true, .look_store = true });
}
TEST(write_after_zap, .help = "a store after MADV_DONTNEED in a region reaches a new frame", .run = write_after_zap,
     .detects = LEAF_SABOTAGES);

static bool reads_zero(struct va va, struct access a)
{
	(void)va;
	return !a.fault && !a.value;
}

static bool zero_after_zap(struct test_run *t)
{
	return one_page((struct oracle){ .t = t, .change = zap_in_region, .right = reads_zero, .hold_store = true });
}
TEST(zero_after_zap, .help = "a load after MADV_DONTNEED in a region reads 0", .run = zero_after_zap, .detects = LEAF_SABOTAGES);

static bool read_after_remap(struct test_run *t)
{
	return one_page((struct oracle){ .t = t, .change = oracle_remap, .right = oracle_reads_new });
}
TEST(read_after_remap, .help = "a load after the frame was exchanged reads the new one", .run = read_after_remap,
     .detects = LEAF_SABOTAGES);

static bool write_after_remap(struct test_run *t)
{
	return one_page(
		(struct oracle){ .t = t, .change = oracle_remap, .right = oracle_works, .hold_store = true, .look_store = true });
}
TEST(write_after_remap, .help = "a store after the frame was exchanged reaches the new one", .run = write_after_remap,
     .detects = LEAF_SABOTAGES);

static bool write_after_protect(struct test_run *t)
{
	return one_page((struct oracle){
		.t = t, .change = oracle_protect, .right = oracle_faults, .hold_store = true, .look_store = true });
}
TEST(write_after_protect, .help = "a store after write access was taken away faults", .run = write_after_protect,
     .detects = LEAF_SABOTAGES);

static bool wide_mask(struct test_run *t)
{
	struct oracle o = {
		.t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .change = oracle_remap, .right = oracle_reads_new
	};

	return oracle_run_new(&o, t->cpus - 1);
}
TEST(wide_mask, .help = "CPUs beyond the first 32 (and 64) are flushed", .min_cpus = 33, .run = wide_mask,
     .detects = { { &sabotage_first_32, SEEN_ALL }, { &sabotage_drops_last, SEEN_ALL } });
