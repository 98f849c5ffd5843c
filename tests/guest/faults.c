/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults: spurious ones after rights were added, demand zero by many CPUs at once, the Accessed bit. State: struct demand. */
#include "arch/frame.h"
#include "machine.h"
#include "tests/guest/oracle.h"

COUNTER_DECLARE(faults_zero);
COUNTER_DECLARE(shootdowns);

static void allow_stores(struct oracle *o)
{
	u64 before = counter_sum(&counter_shootdowns);

	mm_protect(o->mm, o->va, o->pages * o->stride, RW_USER);
	if (counter_sum(&counter_shootdowns) != before)
		test_fail(o->t, "rights were added, and somebody was flushed for it");
}

/* Whether a store faults first is the hardware's affair (QEMU walks again by itself, and the counter faults_spurious stays 0). */
static bool rights_added(struct test_run *t)
{
	struct oracle o = { .t = t,
			    .va = TEST_VA,
			    .pages = 4,
			    .stride = PAGE_SIZE,
			    .change = allow_stores,
			    .right = oracle_works,
			    .look_store = true };
	bool ok;

	o.mm = oracle_mm(o.va, o.pages, 0, PROT_READ | PROT_USER);
	if (!o.mm)
		return test_no_frames(t);
	ok = oracle_run(&o, t->cpus - 1);
	mm_destroy(o.mm);
	return ok;
}
TEST(rights_added, .help = "stores succeed after write access was given, which flushes nobody", .any_strategy = true,
     .run = rights_added);

#define PAGES 32

struct demand {
	struct mm *mm;
	struct meeting meeting;
	struct word wrong;
};

static struct va word_of(unsigned page, unsigned cpu)
{
	return va_add(TEST_VA, page * PAGE_SIZE + 8 * (cpu % (PAGE_SIZE / 8)));
}

static void touch_all(void *arg, unsigned index)
{
	struct demand *d = arg;
	unsigned page;

	switch_mm(d->mm);
	meet(&d->meeting, "the others, to fault together");
	for (page = 0; page < PAGES; page++)
		if (va_store(word_of(page, index), index + 1).fault)
			add_full(&d->wrong, 1);
}

/* Every CPU's store is in the one frame that the page has. */
static u64 lost_stores(struct demand *d, unsigned cpus)
{
	u64 lost = 0, *contents;
	unsigned page, cpu;

	for (page = 0; page < PAGES; page++) {
		contents = frame_contents(pte_pa(mm_lookup(d->mm, word_of(page, 0)), 0));
		for (cpu = 0; cpu < MIN(cpus, PAGE_SIZE / 8); cpu++)
			lost += contents[cpu] % (PAGE_SIZE / 8) != (cpu + 1) % (PAGE_SIZE / 8);
	}
	return lost;
}

static bool demand_zero(struct test_run *t)
{
	struct demand d = { .mm = mm_create(), .meeting = { .n = t->cpus } };
	u64 lost = 0;

	if (!d.mm)
		return test_no_frames(t);
	if (mm_add_region(d.mm, TEST_VA, PAGES * PAGE_SIZE, RW_USER))
		test_fail(t, "the region was refused");
	cpumask_first_n(&machine.shootdown.scratch, t->cpus);
	workers_run(&machine.shootdown.scratch, touch_all, &d);
	if (!load_relaxed(&d.wrong))
		lost = lost_stores(&d, t->cpus);
	mm_destroy(d.mm);
	if (load_relaxed(&d.wrong) || lost)
		return test_fail(t, "%llu stores faulted, %llu were lost", (unsigned long long)load_relaxed(&d.wrong),
				 (unsigned long long)lost);
	if (counter_sum(&counter_faults_zero) != PAGES)
		return test_fail(t, "%llu pages appeared, not %u", (unsigned long long)counter_sum(&counter_faults_zero), PAGES);
	return !t->message[0];
}
TEST(demand_zero, .help = "CPUs that fault on one page at once get one frame", .any_strategy = true, .run = demand_zero);

/*
 * An entry whose Accessed bit was cleared while no CPU held it: the walk that an access takes sets it, or where hardware doesn't a
 * fault does.
 */
static bool accessed_again(struct test_run *t)
{
	struct mm *mm = oracle_mm(TEST_VA, 1, 0, RW_USER);
	bool fault, young;

	if (!mm)
		return test_no_frames(t);
	mm_test_and_clear_young(mm, TEST_VA);
	switch_mm(mm);
	fault = va_load(TEST_VA).fault;
	young = mm_test_and_clear_young(mm, TEST_VA);
	mm_destroy(mm);
	if (fault || !young)
		return test_fail(t, fault ? "the access faulted" : "the access left no trace");
	return true;
}
TEST(accessed_again, .help = "an access sets the Accessed bit that was cleared", .any_strategy = true, .run = accessed_again);
