/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Early acknowledgements: what CPU 0 does with the request's memory when a zap has returned must not matter to targets that are
 * still flushing; and who acknowledges early is counted: every target of a leaf flush that runs the mm, and no other. Without the
 * policy nobody. State: struct early of the round.
 */
#include "arch/platform.h"
#include "check.h"
#include "tests/guest/oracle.h"

COUNTER_DECLARE(acked_early);
SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(reads_late);

#define MAX_OTHERS 3u
#define TEST_KERNEL_VA VA(KERNEL_MAP_START + 0x10000000)

struct early {
	struct oracle o; /* first: its change() is given a pointer to it */
	struct mm *other; /* nobody runs it, but it has the same page */
};

/* `wanted`: where the strategy acknowledges early. */
static void expect_early(struct test_run *t, const char *what, u64 wanted)
{
	u64 n = counter_sum(&counter_acked_early);

	if (!(t->strategy->policies & POLICY_EARLY_ACK))
		wanted = 0;
	if (n != wanted)
		test_fail(t, "%s: %llu early acknowledgements, not %llu", what, (unsigned long long)n, (unsigned long long)wanted);
}

/* The second zap's request is about another mm, and is written where the first one's was. */
static void zap_both(struct oracle *o)
{
	struct early *e = (struct early *)o;

	oracle_zap(o);
	mm_zap(e->other, o->va, o->pages * o->stride);
}

static bool request_reused(struct test_run *t)
{
	struct early e = {
		.o = { .t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .change = zap_both, .right = oracle_faults },
		.other = oracle_mm(TEST_VA, 1, 0, RW_USER),
	};
	unsigned others = MIN(t->cpus - 1, MAX_OTHERS);
	bool ok;

	if (!e.other)
		return test_no_frames(t);
	ok = oracle_run_new(&e.o, others);
	mm_destroy(e.other);
	if (!t->skip)
		expect_early(t, "after two zaps", others);
	return ok && (t->skip || !t->message[0]);
}
/* Bochs shows it in most rounds, but not reliably in nine of ten. */
TEST(request_reused, .help = "a target flushes what it was asked to, whatever the initiator does next", .min_cpus = 2,
     .run = request_reused, .detects = { { &sabotage_none, SEEN_ALL }, { &sabotage_reads_late, SEEN_ALL & ~SEEN_BOCHS } });

static void zap_kernel_page(struct test_run *t)
{
	struct mm *kmm = &machine.mm.kernel;

	if (mm_populate(kmm, TEST_KERNEL_VA, 1, 0, PROT_READ | PROT_WRITE | PROT_GLOBAL))
		mm_zap(kmm, TEST_KERNEL_VA, PAGE_SIZE);
	mm_unmap(kmm, TEST_KERNEL_VA, PAGE_SIZE);
	expect_early(t, "after a kernel page", 0);
}

static bool late_where_it_must(struct test_run *t)
{
	struct oracle tables = {
		.t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .change = oracle_unmap, .right = oracle_faults
	};
	struct oracle lazy = {
		.t = t, .va = TEST_VA, .pages = 1, .stride = PAGE_SIZE, .lazy = true, .change = oracle_zap, .right = oracle_faults
	};
	unsigned others = MIN(t->cpus - 1, MAX_OTHERS);
	bool ok;

	zap_kernel_page(t);
	ok = oracle_run_new(&tables, others);
	expect_early(t, "after tables were freed", 0);
	ok &= oracle_run_new(&lazy, others);
	expect_early(t, "after lazy CPUs were flushed", 0);
	return ok && (t->skip || !t->message[0]);
}
TEST(late_where_it_must,
     .help = "nobody acknowledges early when tables are freed, for a kernel page, or while it doesn't run the mm", .min_cpus = 2,
     .run = late_where_it_must, .detects = { { &sabotage_none, SEEN_ALL } });
