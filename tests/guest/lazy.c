/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lazy CPUs: holders end their job, so that their CPUs halt with the user root loaded. Leaf flushes may leave them out (and they
 * have to catch up), freed tables and the end of the mm may not. No state.
 */
#include "check.h"
#include "machine.h"
#include "mm/table.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(lazy_no_catchup);
SABOTAGE_DECLARE(lazy_skips_freed_tables);

COUNTER_DECLARE(lazy_catchups);
COUNTER_DECLARE(lazy_left);
COUNTER_DECLARE(skipped_lazy);

/* How many of CPUs 1..others are in the mm's root, lazily. */
static unsigned lazy_in(const struct mm *mm, unsigned others)
{
	unsigned cpu, n = 0;

	for (cpu = 1; cpu <= others; cpu++) {
		const struct tlb_state *tlb = &machine.cpu[cpu].tlb;

		n += load_relaxed(&tlb->loaded) == (u64)mm && load_relaxed(&tlb->lazy);
	}
	return n;
}

static bool frame_is_free(struct pa pa)
{
	u8 state = frame_of(pa)->state;

	return state == FRAME_FREE || state == FRAME_QUARANTINED;
}

static struct pa leaf_table(struct mm *mm, struct va va)
{
	return pte_pa(pte_read(table_find(mm->root, va, 1)), 1);
}

/* Flushes of the mm interrupt nobody, and reach walk caches too: a lazy CPU stays. */
static bool only_broadcast(const struct oracle *o)
{
	return o->t->strategy->traits & SAME_TAGS || load_relaxed(&o->mm->global_asid);
}

static void unmap_with_tables(struct oracle *o)
{
	unsigned others = o->t->cpus - 1, n = lazy_in(o->mm, others);
	u64 left = counter_sum(&counter_lazy_left);
	struct pa table = leaf_table(o->mm, o->va);

	if (n != others)
		test_vacuous(o->t, n, others);
	CHECK(frame_of(table)->state == FRAME_TABLE);
	oracle_unmap(o);
	n = lazy_in(o->mm, others);
	if (!only_broadcast(o) && n)
		test_fail(o->t, "%u CPUs are still lazy in a root whose tables were freed", n);
	if (!only_broadcast(o) && counter_sum(&counter_lazy_left) != left + others)
		test_fail(o->t, "%llu CPUs left lazy mode, not %u", (unsigned long long)(counter_sum(&counter_lazy_left) - left),
			  others);
	if (!frame_is_free(table))
		test_fail(o->t, "the table was not freed");
}

static bool lazy_freed_tables(struct test_run *t)
{
	struct oracle o = { .t = t,
			    .va = TEST_VA,
			    .pages = 2,
			    .stride = PAGE_SIZE,
			    .lazy = true,
			    .change = unmap_with_tables,
			    .right = oracle_faults };

	return oracle_run_new(&o, t->cpus - 1);
}
TEST(lazy_freed_tables, .help = "munmap that frees tables makes lazy CPUs leave the root before the tables are free", .min_cpus = 2,
     .run = lazy_freed_tables, .detects = { { &sabotage_lazy_skips_freed_tables, SEEN_ALL } });

/* A leaf flush by interrupts: with filter lazy nobody is disturbed, without it everybody is. Broadcasts disturb nobody. */
static void change_leaves(struct oracle *o, void (*change)(struct oracle *o))
{
	bool spared = strategy_has(o->t->strategy, "lazy");
	unsigned others = o->t->cpus - 1, n;
	u64 skipped;

	change(o);
	if (only_broadcast(o))
		return;
	skipped = counter_sum(&counter_skipped_lazy);
	n = lazy_in(o->mm, others);
	if (n != (spared ? others : 0))
		test_fail(o->t, "%u of %u lazy CPUs are still in the mm after a leaf flush", n, others);
	if (spared != (skipped >= others))
		test_fail(o->t, "%llu lazy CPUs were left out of %u", (unsigned long long)skipped, others);
}

static void zap_leaves(struct oracle *o)
{
	change_leaves(o, oracle_zap);
}

static void remap_leaves(struct oracle *o)
{
	change_leaves(o, oracle_remap);
}

static bool leave_lazy(struct test_run *t, void (*change)(struct oracle *o), bool (*right)(struct va va, struct access a))
{
	struct oracle o = {
		.t = t, .va = TEST_VA, .pages = 2, .stride = PAGE_SIZE, .lazy = true, .change = change, .right = right
	};
	u64 catchups;

	if (!oracle_run_new(&o, t->cpus - 1))
		return false;
	catchups = counter_sum(&counter_lazy_catchups);
	if (strategy_has(t->strategy, "lazy") && !t->strategy->transport->broadcasts && catchups < t->cpus - 1)
		return test_fail(t, "only %llu of %u CPUs caught up", (unsigned long long)catchups, t->cpus - 1);
	return true;
}

static bool lazy_zap(struct test_run *t)
{
	return leave_lazy(t, zap_leaves, oracle_faults);
}
TEST(lazy_zap, .help = "a lazy CPU that a zap left out catches up when it returns to the mm", .min_cpus = 2, .run = lazy_zap,
     .detects = { { &sabotage_lazy_no_catchup, SEEN_ALL } });

static bool lazy_remap(struct test_run *t)
{
	return leave_lazy(t, remap_leaves, oracle_reads_new);
}
TEST(lazy_remap, .help = "the same after frames were exchanged", .min_cpus = 2, .run = lazy_remap,
     .detects = { { &sabotage_lazy_no_catchup, SEEN_ALL } });
