/* SPDX-License-Identifier: BSD-2-Clause */
/* Another strategy at run time: every ordered pair of those in tlb= that reach other CPUs. No state. */
#include "machine.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);

COUNTER_DECLARE(shootdowns);

static bool one_page(struct test_run *t, const struct strategy *s)
{
	struct oracle o = {
		.t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .change = oracle_remap, .right = oracle_reads_new
	};

	t->strategy = s;
	strategy_install(s);
	if (counter_sum(&counter_shootdowns))
		return test_fail(t, "counters were not zero after %s was installed", s->name);
	return oracle_run_new(&o, t->cpus - 1);
}

static bool install_pairs(struct test_run *t)
{
	const struct strategy *list = machine.shootdown.list;
	unsigned a, b;

	/* A sabotaged run: the one strategy, after itself. */
	if (t->strategy->sabotage || !(t->strategy->traits & REMOTE))
		return one_page(t, t->strategy) && one_page(t, t->strategy);
	for (a = 0; a < machine.shootdown.nr; a++)
		for (b = 0; b < machine.shootdown.nr; b++)
			if ((list[a].traits & list[b].traits & REMOTE) && !(one_page(t, &list[a]) && one_page(t, &list[b])))
				return false;
	return true;
}
TEST(install_pairs, .help = "every strategy of tlb= works after every other, with counters from 0", .min_cpus = 2, .once = true,
     .run = install_pairs, .detects = { { &sabotage_none, SEEN_ALL } });
