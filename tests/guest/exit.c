/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The end of an mm, and its frames in the next one: at the same addresses with other contents, run by all CPUs, which go lazy in
 * it. State: struct life of the round.
 */
#include "arch/frame.h"
#include "machine.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(stays_at_exit);

#define LIVES 4
#define PAGES 2

struct life {
	struct mm *mm;
	u64 contents; /* of this mm */
	struct word wrong;
};

static void live(void *arg, unsigned index)
{
	struct life *life = arg;
	unsigned page;

	(void)index;
	switch_mm(life->mm);
	for (page = 0; page < PAGES; page++) {
		struct access a = va_load(va_add(TEST_VA, page * PAGE_SIZE));

		if (a.fault || a.value != life->contents + page)
			add_full(&life->wrong, 1);
	}
}

static bool one_life(struct test_run *t, struct life *life)
{
	unsigned page, cpu, in = 0;

	life->mm = oracle_mm(TEST_VA, PAGES, 0, RW_USER);
	if (!life->mm)
		return test_no_frames(t);
	for (page = 0; page < PAGES; page++)
		frame_fill(pte_pa(mm_lookup(life->mm, va_add(TEST_VA, page * PAGE_SIZE)), 0), PAGE_SIZE, life->contents + page);
	cpumask_first_n(&machine.shootdown.scratch, t->cpus);
	workers_run(&machine.shootdown.scratch, live, life);
	mm_destroy(life->mm);
	for (cpu = 0; cpu < t->cpus; cpu++)
		in += load_relaxed(&machine.cpu[cpu].tlb.loaded) == (u64)life->mm;
	if (in)
		return test_fail(t, "%u CPUs sit in the root of an mm that has ended", in);
	if (load_relaxed(&life->wrong))
		return test_fail(t, "%llu accesses reached another mm's page", (unsigned long long)load_relaxed(&life->wrong));
	return true;
}

static bool exit_and_reuse(struct test_run *t)
{
	u64 i;

	for (i = 1; i <= LIVES; i++) {
		struct life life = { .contents = i << 32 };

		if (!one_life(t, &life))
			return false;
	}
	return true;
}
TEST(exit_and_reuse, .help = "no CPU keeps the root of an mm that ended, nor its pages", .run = exit_and_reuse,
     .detects = { { &sabotage_stays_at_exit, SEEN_ALL, 2 } });
