/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Global ASIDs: an mm that gets one while CPUs run it, and tags that come back when an mm has ended. Under strategies without
 * broadcasts these are tests like others; with them the counters say that the path ran. No state.
 */
#include "arch/frame.h"
#include "machine.h"
#include "mm/switch.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(move_ends_early);
SABOTAGE_DECLARE(asid_reused);

COUNTER_DECLARE(promotions);
COUNTER_DECLARE(asid_rollovers);
COUNTER_DECLARE(stragglers_moved);
COUNTER_DECLARE(moves_ended);
COUNTER_DECLARE(flush_broadcasts);
COUNTER_DECLARE(ipis_sent);

static bool too_few(struct test_run *t, const struct counter *c, u64 wanted)
{
	u64 sum = counter_sum(c);

	return sum < wanted &&
	       !test_fail(t, "counter %s is %llu, not %llu", c->name, (unsigned long long)sum, (unsigned long long)wanted);
}

static bool not_exactly(struct test_run *t, const struct counter *c, u64 wanted)
{
	u64 sum = counter_sum(c);

	return sum != wanted &&
	       !test_fail(t, "counter %s is %llu, not %llu", c->name, (unsigned long long)sum, (unsigned long long)wanted);
}

#define PAGES 12

/* Page by page: the first flush gives the mm its ASID, the second moves the CPUs that run it, the others are broadcasts. */
static void zap_one_by_one(struct oracle *o)
{
	unsigned others = o->t->cpus - 1;
	u64 page;

	for (page = 0; page < o->pages; page++)
		mm_zap(o->mm, va_add(o->va, page * o->stride), o->stride);
	if (o->t->strategy->sabotage || !strategy_promotes(o->t->strategy, o->t->cpus))
		return;
	if (too_few(o->t, &counter_promotions, 2) || too_few(o->t, &counter_stragglers_moved, others) ||
	    not_exactly(o->t, &counter_moves_ended, 1) || too_few(o->t, &counter_flush_broadcasts, PAGES - 1))
		return;
	if (counter_sum(&counter_ipis_sent) > 2 * others)
		test_fail(o->t, "%llu CPUs were interrupted, not %u: once for the first flush, once to move",
			  (unsigned long long)counter_sum(&counter_ipis_sent), 2 * others);
}

/* The first global ASID of all rolls over, and drops the very entries that the test is about. */
static bool take_the_first(void)
{
	struct mm *mm = mm_create();

	if (!mm)
		return false;
	asid_promote(mm);
	mm_destroy(mm);
	return true;
}

static bool zaps_under_a_new_asid(struct test_run *t)
{
	struct oracle o = {
		.t = t, .va = TEST_VA, .pages = PAGES, .stride = PAGE_SIZE, .change = zap_one_by_one, .right = oracle_faults
	};

	if (t->strategy->transport->broadcasts && !take_the_first())
		return test_no_frames(t);
	return oracle_run_new(&o, t->cpus - 1) && !t->message[0];
}
/* Bochs drops the entries of all PCIDs when one is flushed that is not loaded; TCG's arm64 ignores the ASID of TLBI by address. */
TEST(zaps_under_a_new_asid, .help = "pages go one by one, while the mm gets a global ASID and all CPUs move over to it",
     .min_cpus = 2, .run = zaps_under_a_new_asid,
     .detects = { { &sabotage_none, SEEN_ALL }, { &sabotage_move_ends_early, SEEN_ALL & ~(SEEN_BOCHS | SEEN_TCG_ARM64) } });

#define ASIDS 8
#define MMS 24 /* three times around */

struct visits {
	struct mm *mm;
	u64 number; /* in each word of its page */
	struct word wrong; /* visits that read another mm's page */
};

/* A page that says whose it is, and one that goes, so that the mm is flushed. */
static struct mm *make(u64 number)
{
	struct mm *mm = mm_create();

	if (mm && !mm_populate(mm, TEST_VA, 2, 0, RW_USER)) {
		mm_destroy(mm);
		mm = NULL;
	}
	if (mm)
		frame_fill(pte_pa(mm_lookup(mm, TEST_VA), 0), PAGE_SIZE, number);
	return mm;
}

/* Under the global ASID, if it has got one, and once more after another mm. */
static void visit(void *arg, unsigned index)
{
	struct visits *v = arg;
	unsigned i;

	(void)index;
	for (i = 0; i < 2; i++) {
		switch_mm(v->mm);
		if (va_load(TEST_VA).value != v->number)
			add_full(&v->wrong, 1);
		switch_to_kernel();
	}
}

static bool asids_come_back(struct test_run *t)
{
	struct asids_state *a = &machine.asids;
	struct visits v = { 0 };

	if (t->strategy->transport->broadcasts) {
		a->end = a->next = MIN(a->end, a->first + ASIDS);
		store_relaxed(&a->available, a->end - a->first);
	}
	for (v.number = 1; v.number <= MMS; v.number++) {
		v.mm = make(v.number);
		if (!v.mm)
			return test_no_frames(t);
		switch_mm(v.mm);
		mm_zap(v.mm, va_add(TEST_VA, PAGE_SIZE), PAGE_SIZE);
		workers_run(&machine.smp.online, visit, &v);
		mm_destroy(v.mm);
	}
	if (load_relaxed(&v.wrong))
		return test_fail(t, "%llu of %u visits found another mm's page", (unsigned long long)load_relaxed(&v.wrong),
				 2 * MMS * t->cpus);
	return !strategy_promotes(t->strategy, 1) ||
	       !(too_few(t, &counter_promotions, MMS) || too_few(t, &counter_asid_rollovers, MMS / ASIDS));
}
TEST(asids_come_back, .help = "mms are made, flushed, visited and ended, three times as many as there are global ASIDs",
     .min_cpus = 2, .run = asids_come_back, .detects = { { &sabotage_asid_reused, SEEN_SIM | SEEN_HARDWARE } });
