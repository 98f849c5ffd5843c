/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel mappings: global entries in KMM's part of the address space, seen by all CPUs whatever mm they run: two user ones and KMM
 * itself. No state.
 */
#include "arch/platform.h"
#include "machine.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(local_kernel);
SABOTAGE_DECLARE(one_short);

#define TEST_KERNEL_VA VA(KERNEL_MAP_START + 0x10000000)

static bool kernel_range(struct oracle *o, struct mm *a, struct mm *b)
{
	struct mm *kmm = &machine.mm.kernel;
	bool ok;

	o->mm = kmm;
	o->runs[0] = a;
	o->runs[1] = b;
	o->runs[2] = kmm;
	if (mm_populate(kmm, o->va, o->pages, 0, PROT_READ | PROT_WRITE | PROT_GLOBAL)) {
		oracle_fill(kmm, o->va, o->pages, 0);
		ok = oracle_run(o, o->t->cpus - 1);
	} else {
		ok = test_no_frames(o->t);
	}
	mm_unmap(kmm, o->va, o->pages * o->stride);
	return ok;
}

/* One page, and more than the ceiling. */
static bool kernel_pages(struct oracle o)
{
	u64 pages[] = { 1, 5, MIN(o.t->strategy->value[STAGE_SCOPE], 512) + 1 };
	struct mm *a = mm_create(), *b = mm_create();
	bool ok = a && b;
	unsigned i;

	o.va = TEST_KERNEL_VA;
	o.stride = PAGE_SIZE;
	for (i = 0; i < ARRAY_SIZE(pages) && ok; i++) {
		struct oracle one = o;

		one.pages = pages[i];
		ok = kernel_range(&one, a, b);
	}
	if (a)
		mm_destroy(a);
	if (b)
		mm_destroy(b);
	return ok || (!o.t->message[0] && test_no_frames(o.t));
}

static bool kernel_unmap(struct test_run *t)
{
	return kernel_pages((struct oracle){ .t = t, .change = oracle_unmap, .right = oracle_faults });
}
TEST(kernel_unmap, .help = "global kernel pages: a load after unmap faults in every mm", .run = kernel_unmap,
     .detects = { { &sabotage_none, SEEN_ALL, 2 }, { &sabotage_local_kernel, SEEN_ALL, 2 } });

static bool kernel_remap(struct test_run *t)
{
	return kernel_pages(
		(struct oracle){ .t = t, .change = oracle_remap, .right = oracle_works, .hold_store = true, .look_store = true });
}
TEST(kernel_remap, .help = "global kernel pages: a store after the frames were exchanged reaches the new ones", .run = kernel_remap,
     .detects = { { &sabotage_none, SEEN_ALL, 2 }, { &sabotage_local_kernel, SEEN_ALL, 2 }, { &sabotage_one_short, SEEN_ALL } });

static bool kernel_lazy(struct test_run *t)
{
	return kernel_pages((struct oracle){
		.t = t, .change = oracle_remap, .right = oracle_works, .hold_store = true, .look_store = true, .lazy = true });
}
TEST(kernel_lazy, .help = "global kernel pages: lazy CPUs are flushed too", .min_cpus = 2, .run = kernel_lazy,
     .detects = { { &sabotage_none, SEEN_ALL }, { &sabotage_local_kernel, SEEN_ALL } });
