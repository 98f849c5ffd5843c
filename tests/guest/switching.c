/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUs that change between two mms while pages of both are zapped; and who is left out because it runs the other one. No state. */
#include "machine.h"
#include "tests/guest/crowd.h"

SABOTAGE_DECLARE(none);

COUNTER_DECLARE(mask_cleared);
COUNTER_DECLARE(skipped_loaded);
COUNTER_DECLARE(trims);

#define MAX_TURNS 10000000 /* of the others, who go on until CPU 0 is done */
#define LOOKS 2000 /* in each turn: long, so that a zap falls into one more often than between two */

/* Page m is the one that is written in mm m. */
static void write_both(struct crowd *c)
{
	unsigned m;
	u64 k;

	/* Until time is up, however quick: the others' turns must have their chance. */
	for (k = 1; k == 1 || !crowd_late(c); k++) {
		for (m = 0; m < 2; m++) {
			switch_mm(c->mm[m]);
			crowd_store(c, m, k);
			crowd_zap(c, c->mm[m], m);
			store_release(&c->zapped[m], k);
			crowd_look(c, m, k);
		}
	}
	store_release(&c->done, 1);
}

static void alternate(void *arg, unsigned index)
{
	struct crowd *c = arg;
	unsigned m, look;
	u64 turn;

	switch_mm(c->mm[0]);
	crowd_look(c, 0, 0); /* held from before the first zap, whenever this CPU gets to look again */
	crowd_meet(c);
	if (!index) {
		write_both(c);
		return;
	}
	for (turn = 0; turn < MAX_TURNS; turn++) {
		m = turn % 2;
		switch_mm(c->mm[m]);
		for (look = 0; look < LOOKS; look++)
			crowd_look(c, m, load_acquire(&c->zapped[m]));
		if (load_relaxed(&c->done))
			break;
	}
}

static bool switch_and_zap(struct test_run *t)
{
	struct crowd c = { .irqs_off = false };

	if (crowd_init(&c, t, 2))
		workers_run(&machine.shootdown.scratch, alternate, &c);
	else
		test_no_frames(t);
	return crowd_end(&c);
}
TEST(switch_and_zap, .help = "pages of two mms are zapped while CPUs change between the two", .min_cpus = 2, .run = switch_and_zap,
     .detects = { { &sabotage_none, SEEN_ALL } });

/* Holders ran `first` before, run `mm` now; nobody but CPU 0 runs `first` when one of its pages goes. */
struct elsewhere {
	struct oracle o;
	struct mm *first;
};

static void visit(void *arg, unsigned index)
{
	struct mm *mm = arg;

	(void)index;
	switch_mm(mm);
	va_load(TEST_VA);
}

/* The page is there again after this, so that the next zap has something to do. */
static void zap_first(struct mm *first)
{
	mm_zap(first, TEST_VA, PAGE_SIZE);
	mm_populate(first, TEST_VA, 1, 0, RW_USER);
}

static void zap_elsewhere(struct oracle *o)
{
	struct mm *first = container_of(o, struct elsewhere, o)->first;
	const struct strategy *s = o->t->strategy;
	u64 others = o->t->cpus - 1, skipped, cleared;

	/* Not a trim round: as if one had just been. */
	store_relaxed(&first->next_trim, ~0ull);
	zap_first(first);
	skipped = counter_sum(&counter_skipped_loaded);
	if (strategy_has(s, "loaded") && strategy_has(s, "mask") && skipped != others)
		test_fail(o->t, "%llu of %llu CPUs were left out for running another mm", (unsigned long long)skipped,
			  (unsigned long long)others);
	if (!strategy_has(s, "trim"))
		return;
	cleared = counter_sum(&counter_mask_cleared); /* CPU 0's own, which runs another mm too */
	store_relaxed(&first->next_trim, 0);
	zap_first(first);
	cleared = counter_sum(&counter_mask_cleared) - cleared;
	if (counter_sum(&counter_trims) != 1 || cleared != others)
		test_fail(o->t, "%llu trim rounds cleared %llu bits, not 1 and %llu",
			  (unsigned long long)counter_sum(&counter_trims), (unsigned long long)cleared, (unsigned long long)others);
}

static bool runs_another(struct test_run *t)
{
	struct elsewhere e = { .o = { .t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .change = zap_elsewhere } };
	bool ok;

	/* The one that is not changed reads as before. */
	e.o.right = oracle_reads_old;
	e.first = oracle_mm(TEST_VA, 1, 0, RW_USER);
	if (!e.first)
		return test_no_frames(t);
	cpumask_first_n(&machine.shootdown.scratch, t->cpus);
	workers_run(&machine.shootdown.scratch, visit, e.first);
	ok = oracle_run_new(&e.o, t->cpus - 1);
	mm_destroy(e.first);
	return ok;
}
TEST(runs_another, .help = "CPUs that run another mm are left out by filter loaded, and trimmed from mm_cpumask by trim",
     .min_cpus = 2, .run = runs_another);
