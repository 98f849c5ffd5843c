/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guest tests and sabotages. A test is one function that runs one round and says whether all was as it should be. It is run under
 * every strategy of tlb= that reaches other CPUs, and then under each sabotage that it declares: a strategy with one stage replaced
 * by a wrong one. There it has to fail, in at least 90 % of rounds, on the machines where the declaration says that the damage is
 * visible; elsewhere the pair is printed as unproven. A round that leaves frames missing fails too.
 *
 *	static bool run(struct test_run *t) { ... return test_fail(t, "CPU %u read the old page", cpu); ... return true; }
 *	TEST(unmap_read, .help = "...", .min_cpus = 2, .run = run, .detects = { { &sabotage_none, SEEN_TCG | SEEN_HARDWARE } });
 *
 * Tests are written against access.h, so that the simulator can run them too.
 */
#ifndef TEST_H
#define TEST_H

#include "machine.h"
#include "registry.h"

/* Kinds of machine on which a damage shows. */
enum seen { SEEN_TCG = 1, SEEN_BOCHS = 2, SEEN_SIM = 4, SEEN_HARDWARE = 8, SEEN_TCG_ARM64 = 16, SEEN_ALL = 31 };

struct sabotage {
	const char *name;
	const char *spec; /* the strategy; may use choices that are marked as sabotage */
	const char *help; /* what is wrong in it */
};

#define SABOTAGE(sym, ...) REGISTRY_ENTRY(sabotages, sabotage, sabotage_##sym) = { __VA_ARGS__ }
#define SABOTAGE_DECLARE(sym) extern const struct sabotage sabotage_##sym
REGISTRY_DECLARE(sabotages, sabotage);

struct detects {
	const struct sabotage *sabotage;
	u32 seen; /* enum seen */
	unsigned min_cpus; /* it takes that many CPUs to show; 0: as many as the test */
};

struct test_run {
	const struct strategy *strategy; /* installed */
	unsigned cpus; /* taking part: 0..cpus-1 */
	char message[160]; /* of the first failure */
	bool skip; /* with return true: this round proved nothing, message says why */
	bool vacuous; /* with return false: what was to go stale was not there before. Nothing is caught by such a round */
	bool leaked; /* frames were missing after the round */
};

struct test {
	const char *name, *help;
	bool (*run)(struct test_run *t); /* one round; leaves no mm behind */
	unsigned min_cpus;
	bool any_strategy; /* also under those that don't reach other CPUs */
	bool once; /* under the first strategy that reaches others only: the test goes through them itself */
	bool stale_on_purpose; /* it lets entries outlive a change without a flush: that is not wrong here */
	struct detects detects[6]; /* ends with sabotage = NULL */
};

#define TEST(sym, ...) REGISTRY_ENTRY(tests, test, test_##sym) = { .name = #sym, __VA_ARGS__ }
REGISTRY_DECLARE(tests, test);

/* Notes the first message and returns false. */
bool test_fail(struct test_run *t, const char *fmt, ...) PRINTF(2, 3);

/* The same, and sets t->vacuous: `held` of the `wanted` accesses before the change reached the old contents. */
bool test_vacuous(struct test_run *t, u64 held, u64 wanted);

/* Does a broadcast do what it says on every CPU? False: `why` says which failed. No mm is alive. (tests/guest/self_test.c) */
bool broadcast_self_test(char *why, size_t size);

/* Runs what tests= names; false if something failed. (tests/guest/run.c) */
bool tests_run(void);

/* How many test records that will give, and how many of sabotages. */
u64 tests_planned(u64 *sabotages);

#endif
