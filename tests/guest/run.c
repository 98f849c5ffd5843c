/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs the guest tests, prints them as KTAP and as records, then the matrix of sabotages. State: machine.bench.running. Everything
 * here happens on CPU 0; tests use the other workers.
 */
#include "arch/platform.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"
#include "test.h"

static const char *test_known(const char *text, size_t n);

OPTION(tests, .kind = OPTION_WORDS, .accepts = "NAME,...  all, none", .def = "none", .check = test_known,
       .help = "guest tests to run");
OPTION(rounds, .kind = OPTION_UINT, .accepts = "count", .def = "3", .min = 1, .max = 1000000,
       .help = "rounds of each test under each strategy; a sabotage gets ten times as many");

#define CAUGHT_PERCENT 90

static const char *test_known(const char *text, size_t n)
{
	const struct test *t;

	REGISTRY_FOR_EACH (t, tests)
		if (word_is(text, n, t->name))
			return NULL;
	if (word_is(text, n, "all") || word_is(text, n, "none"))
		return NULL;
	return "all, none, or names of tests (`help` lists them)";
}

static bool wanted(const struct test *t)
{
	return option_list_has(&option_tests, "all") || option_list_has(&option_tests, t->name);
}

bool test_fail(struct test_run *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (!t->message[0])
		kvsnprintf(t->message, sizeof(t->message), fmt, args);
	va_end(args);
	return false;
}

bool test_vacuous(struct test_run *t, u64 held, u64 wanted)
{
	t->vacuous = !t->message[0];
	return test_fail(t, "proves nothing: only %llu of %llu accesses before the change reached the old contents",
			 (unsigned long long)held, (unsigned long long)wanted);
}

/* What this machine is among enum seen. */
static u32 machine_kind(void)
{
	const char *emulator = platform_id()->emulator;

	if (!strcmp(emulator, "none"))
		return SEEN_HARDWARE;
	if (!strcmp(emulator, "bochs"))
		return SEEN_BOCHS;
	return strncmp(platform_id()->tags, "asid", 4) ? SEEN_TCG : SEEN_TCG_ARM64;
}

static void report(unsigned *number, const struct test *test, const char *strategy, const char *result, const char *detail)
{
	bool skip = !strcmp(result, "skip");
	const char *mark = skip ? " # SKIP " : detail[0] ? " # " : "";
	struct record r;

	kprintf("%s %u %s under %s%s%s\n", skip ? "ok" : result, ++*number, test->name, strategy, mark, detail);
	record_begin(&r, "test");
	record_str(&r, "test", test->name);
	record_str(&r, "strategy", strategy);
	record_str(&r, "result", result);
	record_str(&r, "detail", detail);
	record_end(&r);
}

/* One round; the strategy is installed anew, so that nothing of the last round is left. */
static bool run_round(const struct test *test, const struct strategy *s, struct test_run *t)
{
	u64 before, after;
	bool ok;

	strategy_install(s);
	*t = (struct test_run){ .strategy = s, .cpus = machine.smp.nr_cpus };
	before = frames_free_now();
	ok = test->run(t);
	CHECK(!load_relaxed(&machine.mm.nr_mms));
	strategy_settle();
	after = frames_free_now();
	t->leaked = after != before;
	if (t->leaked && ok)
		return test_fail(t, "%lld frames are missing after the round", (long long)(before - after));
	return ok || t->skip;
}

/* NULL, or why the test is not run here at all. */
static const char *why_not(const struct test *test, char *buf, size_t size)
{
	if (machine.smp.nr_cpus < test->min_cpus) {
		ksnprintf(buf, size, "needs %u CPUs", test->min_cpus);
		return buf;
	}
	return NULL;
}

static bool run_sound(unsigned *number, const struct test *test, const struct strategy *s)
{
	u64 rounds = option_uint(&option_rounds), i;
	struct test_run t = { .message = "" };
	const char *why = why_not(test, t.message, sizeof(t.message));

	if (why) {
		report(number, test, s->name, "skip", why);
		return true;
	}
	for (i = 0; i < rounds; i++) {
		if (!run_round(test, s, &t)) {
			report(number, test, s->name, "not ok", t.message);
			return false;
		}
		if (t.skip) {
			report(number, test, s->name, "skip", t.message);
			return true;
		}
	}
	report(number, test, s->name, "ok", "");
	return true;
}

static void report_sabotage(const struct test *test, const struct detects *d, bool visible, u64 rounds, u64 caught,
			    const char *result)
{
	struct record r;

	kprintf("# sabotage %-28s in %-28s %-9s %llu of %llu rounds%s\n", d->sabotage->name, test->name, result,
		(unsigned long long)caught, (unsigned long long)rounds,
		visible ? "" : " (not visible on this machine: unproven here)");
	record_begin(&r, "sabotage");
	record_str(&r, "test", test->name);
	record_str(&r, "sabotage", d->sabotage->name);
	record_str(&r, "machine", platform_id()->emulator);
	record_bool(&r, "visible", visible);
	record_u64(&r, "rounds", rounds);
	record_u64(&r, "caught", caught);
	record_str(&r, "result", result);
	record_end(&r);
}

static bool run_sabotage(const struct test *test, const struct detects *d)
{
	bool can = !spec_missing(d->sabotage->spec);
	bool visible = can && d->seen & machine_kind() && machine.smp.nr_cpus >= MAX(d->min_cpus, test->min_cpus);
	u64 rounds = visible ? option_uint(&option_rounds) * 10 : 0, caught = 0, i;
	struct strategy *s = &machine.shootdown.trial;
	struct test_run t;
	char error[256];
	bool ok;

	if (can && !strategy_compose(s, d->sabotage->spec, strlen(d->sabotage->spec), true, error, sizeof(error)))
		panic("sabotage %s: %s", d->sabotage->name, error);
	for (i = 0; i < rounds && visible; i++) {
		/* Neither a leak nor a round that proves nothing is a catch: they say that the test is wrong. */
		caught += !run_round(test, s, &t) && !t.leaked && !t.vacuous;
		visible = !t.skip;
	}
	ok = !visible || caught * 100 >= rounds * CAUGHT_PERCENT;
	report_sabotage(test, d, visible, rounds, caught, !visible ? "unproven" : ok ? "caught" : "missed");
	return ok;
}

/* Is the test run under list[i]? Not if that does not reach others by design; one that is run once: under the first that does. */
static bool is_run_under(const struct test *test, unsigned i)
{
	unsigned first;

	if (!(machine.shootdown.list[i].traits & REMOTE) && !test->any_strategy)
		return false;

	for (first = 0; test->once && first < machine.shootdown.nr; first++)
		if (machine.shootdown.list[first].traits & REMOTE)
			return i == first;
	return !test->once;
}

u64 tests_planned(u64 *sabotages)
{
	const struct detects *d;
	const struct test *test;
	u64 n = 0, sabotaged = 0;
	unsigned i;

	REGISTRY_FOR_EACH (test, tests) {
		for (i = 0; i < machine.shootdown.nr; i++)
			n += wanted(test) && is_run_under(test, i);
		for (d = test->detects; wanted(test) && d < test->detects + ARRAY_SIZE(test->detects) && d->sabotage; d++)
			sabotaged++;
	}
	*sabotages = n ? sabotaged : 0;
	return n;
}

/* A sabotage that no test declares proves nothing about anything. */
static bool all_declared(void)
{
	const struct sabotage *sabotage;
	const struct detects *d;
	const struct test *test;
	bool declared, ok = true;

	REGISTRY_FOR_EACH (sabotage, sabotages) {
		declared = false;
		REGISTRY_FOR_EACH (test, tests)
			for (d = test->detects; d < test->detects + ARRAY_SIZE(test->detects); d++)
				declared |= d->sabotage == sabotage;
		if (!declared)
			kprintf("not ok: sabotage %s is not declared by any test\n", sabotage->name);
		ok &= declared;
	}
	return ok;
}

/* No test is fine if none was asked for; else that they prove nothing must not look like success. */
static bool nothing_to_do(void)
{
	const struct test *test;
	bool asked = false;

	REGISTRY_FOR_EACH (test, tests)
		asked |= wanted(test);
	if (asked)
		kprintf("not ok: tests= names tests, but no strategy of tlb= reaches other CPUs\n");
	return !asked;
}

bool tests_run(void)
{
	u64 sabotages, n = tests_planned(&sabotages);
	unsigned number = 0, i;
	const struct detects *d;
	const struct test *test;
	bool ok;

	if (!n)
		return nothing_to_do();
	kprintf("KTAP version 1\n1..%llu\n", (unsigned long long)n);
	ok = all_declared();
	REGISTRY_FOR_EACH (test, tests) {
		if (!wanted(test))
			continue;
		machine.bench.running = test->name;
		for (i = 0; i < machine.shootdown.nr; i++)
			if (is_run_under(test, i))
				ok &= run_sound(&number, test, &machine.shootdown.list[i]);
	}
	REGISTRY_FOR_EACH (test, tests) {
		if (!wanted(test))
			continue;
		machine.bench.running = test->name;
		for (d = test->detects; d < test->detects + ARRAY_SIZE(test->detects) && d->sabotage; d++)
			ok &= run_sabotage(test, d);
	}
	machine.bench.running = NULL;
	strategy_install(&machine.shootdown.boot);
	return ok;
}
