/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * More address spaces than ASIDs, all alive: every CPU goes around them. Under tagging generation their ASIDs change hands, and the
 * counters say that they did; under others this is a test of many mms. No state.
 */
#include "arch/frame.h"
#include "machine.h"
#include "mm/switch.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(rollover_unflushed);

COUNTER_DECLARE(generations);
COUNTER_DECLARE(generation_flushes);

extern const struct choice choice_generation;

#define MMS 16

struct tour {
	struct mm *mm[MMS]; /* two pages each; the first says whose it is */
	bool zapped; /* the second one is gone */
	struct word wrong; /* accesses that were not right */
};

static struct va second(void)
{
	return va_add(TEST_VA, PAGE_SIZE);
}

/* Not all CPUs begin with the same one. */
static void go_around(void *arg, unsigned index)
{
	struct tour *tour = arg;
	unsigned i, at;

	for (i = 0; i < 2 * MMS; i++) {
		at = (i + index) % MMS;
		switch_mm(tour->mm[at]);
		if (va_load(TEST_VA).value != at + 1 || va_load(second()).fault != tour->zapped)
			add_full(&tour->wrong, 1);
	}
}

static bool set_up(struct tour *tour)
{
	unsigned i;

	for (i = 0; i < MMS; i++) {
		tour->mm[i] = mm_create();
		if (!tour->mm[i] || !mm_populate(tour->mm[i], TEST_VA, 2, 0, RW_USER))
			return false;
		frame_fill(pte_pa(mm_lookup(tour->mm[i], TEST_VA), 0), PAGE_SIZE, i + 1);
	}
	return true;
}

static bool too_few(struct test_run *t, const struct counter *c)
{
	return !counter_sum(c) && !test_fail(t, "counter %s is 0", c->name);
}

static bool more_mms_than_asids(struct test_run *t)
{
	struct generations_state *g = &machine.generations;
	struct tour tour = { .zapped = false };
	bool good = set_up(&tour);
	unsigned i;

	/* As few as go: one more than CPUs. */
	g->end = MIN(g->end, machine.smp.nr_cpus + 2);
	if (good)
		workers_run(&machine.smp.online, go_around, &tour);
	for (i = 0; i < MMS && good; i++)
		mm_zap(tour.mm[i], second(), PAGE_SIZE);
	tour.zapped = true;
	if (good)
		workers_run(&machine.smp.online, go_around, &tour);
	for (i = 0; i < MMS; i++)
		if (tour.mm[i])
			mm_destroy(tour.mm[i]);
	if (!good)
		return test_no_frames(t);
	if (load_relaxed(&tour.wrong))
		return test_fail(t, "%llu accesses found another mm's page, or one that is gone",
				 (unsigned long long)load_relaxed(&tour.wrong));
	return t->strategy->tagging != choice_generation.tagging || MMS <= machine.smp.nr_cpus + 1 ||
	       !(too_few(t, &counter_generations) || too_few(t, &counter_generation_flushes));
}
TEST(more_mms_than_asids, .help = "all CPUs go around more mms than there are ASIDs, and a page of each is zapped", .min_cpus = 2,
     .run = more_mms_than_asids, .detects = { { &sabotage_rollover_unflushed, SEEN_SIM | SEEN_HARDWARE } });
