/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator's command line. Runs one scenario under one strategy for many schedules; on a violation shrinks the schedule, shows
 * the last steps of each CPU, and writes a file that replays it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sim_build.h>

#include "lib/words.h"
#include "sim/arena.h"
#include "sim/glue.h"
#include "sim/oracle.h"
#include "sim/scenario.h"
#include "sim/sched.h"
#include "task/worker.h"
#include "test.h"

struct arguments {
	const char *tlb, *scenario, *test, *replay, *write;
	u64 schedules, seed, skip;
	unsigned cpus, depth, fills;
	bool xapic, pcid, sabotage, quiet, list;
};

#define SHRINK_SECONDS 20 /* what is left then is shown as it is */

static struct arguments args = { .tlb = "ipi", .schedules = 10000, .seed = 1, .fills = 2, .write = "failure.replay" };
static const struct scenario *scenario;
static const struct test *guest_test; /* instead of a scenario's own code */
static u64 finished;
static struct coverage total;

static _Noreturn void usage(const char *what, const char *value, const char *accepted)
{
	fprintf(stderr, "tlblab sim: %s %s: %s\n", what, value, accepted);
	exit(2);
}

/* A guest test, as it is: CPU 0 is the driver, the others park. */
static void run_test_cpu(unsigned cpu)
{
	struct test_run t = { .strategy = &machine.shootdown.trial, .cpus = scene.cpus };

	if (cpu)
		worker_loop();
	strategy_install(&machine.shootdown.trial);
	if (!guest_test->run(&t) && !t.vacuous)
		violation("TEST", "%s", t.message);
	if (machine.mm.nr_mms.raw)
		violation("TEST", "%llu mms are left", (unsigned long long)machine.mm.nr_mms.raw);
	glue_check_end();
	sched_end();
}

static void run_cpu(unsigned cpu)
{
	u64 seen;

	if (guest_test) {
		run_test_cpu(cpu);
		return;
	}
	scenario->run(cpu);
	switch_lazy(); /* a kernel thread from here on */
	glue_check_kernel_thread(cpu);
	finished++;
	/* Still there for the others' requests. */
	while ((seen = finished) < scene.cpus)
		model_block(&finished, seen);
	glue_check_kernel_thread(cpu);
	glue_check_end();
}

static void run_one(void)
{
	glue_reset(args.fills);
	finished = 0;
	sched_run(scene.cpus, run_cpu);
}

static void add_coverage(void)
{
	total.fills += model.seen.fills;
	total.speculative_fills += model.seen.speculative_fills;
	total.stale_legal += model.seen.stale_legal;
	total.ipis += model.seen.ipis;
	total.faults += model.seen.faults;
	total.drains += model.seen.drains;
}

/* Each decision that is not needed for the same oracle to speak is left out, in ever smaller pieces (delta debugging). */
static void shrink(const char *oracle)
{
	static struct decision best[MAX_DECISIONS];
	unsigned n = sched.nr, piece, from;
	struct timespec now;
	time_t end;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec + SHRINK_SECONDS;

	memcpy(best, sched.list, n * sizeof(*best));
	sched.mode = SCHED_REPLAY;
	for (piece = n / 2 ? n / 2 : 1; piece; piece /= 2) {
		for (from = 0; from < n && now.tv_sec <= end;) {
			unsigned gone = piece < n - from ? piece : n - from;

			memcpy(sched.list, best, from * sizeof(*best));
			memcpy(sched.list + from, best + from + gone, (n - from - gone) * sizeof(*best));
			sched.nr = n - gone;
			run_one();
			clock_gettime(CLOCK_MONOTONIC, &now);
			if (outcome.oracle && !strcmp(outcome.oracle, oracle)) {
				n -= gone;
				memcpy(best, sched.list, n * sizeof(*best));
			} else {
				from += piece;
			}
		}
	}
	memcpy(sched.list, best, n * sizeof(*best));
	sched.nr = n;
	sched.trace = true;
	run_one();
	sched.trace = false;
}

static void write_replay(void)
{
	FILE *f = fopen(args.write, "w");
	unsigned i;

	if (!f) {
		perror(args.write);
		return;
	}
	fprintf(f, "tlblab-replay 1\nbuild %s\nscenario %s\ntlb %s\ncpus %u\nfills %u\nxapic %d\npcid %d\n", SIM_BUILD,
		scenario->name, args.tlb, scene.cpus, args.fills, args.xapic, args.pcid);
	for (i = 0; i < sched.nr; i++)
		fprintf(f, "%u %u\n", sched.list[i].at, sched.list[i].option);
	fclose(f);
}

/* Too many decisions to keep: it comes again from its seed only. */
static int report_long(u64 schedule)
{
	printf("%s: %s\nthe schedule has too many decisions to be shrunk; it comes again with --scenario %s --tlb %s --cpus %u "
	       "--fills %u%s%s --seed %llu --skip %llu\n",
	       outcome.oracle, outcome.text, scenario->name, args.tlb, scene.cpus, args.fills, args.pcid ? " --pcid" : "",
	       args.xapic ? " --xapic" : "", (unsigned long long)args.seed, (unsigned long long)schedule);
	return 1;
}

static int report_failure(u64 schedule)
{
	const char *oracle = outcome.oracle;

	printf("violation %s in %s under %s, schedule %llu\n", oracle, scenario->name, args.tlb, (unsigned long long)schedule);
	if (sched.nr == MAX_DECISIONS)
		return report_long(schedule);
	shrink(oracle);
	printf("%s: %s\n%u decisions are enough\n", outcome.oracle ? outcome.oracle : "(not reproduced)", outcome.text, sched.nr);
	if (!args.quiet)
		show_steps();
	write_replay();
	printf("replay: ./tlblab sim --replay %s\n", args.write);
	return 1;
}

static void set_up(void)
{
	const char *error = glue_set_up(scenario, args.tlb, args.cpus, !args.xapic, args.pcid, args.sabotage);

	if (error) {
		fprintf(stderr, "tlblab sim: %s\n", error);
		exit(2);
	}
}

static int explore(void)
{
	struct timespec begin, end;
	u64 i, steps = 0, distinct = 0;
	static u64 seen[1 << 16];
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	sched.mode = SCHED_REPLAY; /* of no decision: how long is it when nobody interferes? */
	sched.nr = 0;
	run_one();
	sched.length = outcome.choices + 1;
	for (i = args.skip; i < args.skip + args.schedules; i++) {
		sched.seed = args.seed * 1000003 + i;
		/* Half of the schedules at random, half PCT of depth 2, 3, 4 in turn; --depth asks for one of them only. */
		sched.mode = args.depth ? SCHED_PCT : i % 2 ? SCHED_PCT : SCHED_RANDOM;
		sched.depth = args.depth ? args.depth : 2 + i / 2 % 3;
		run_one();
		add_coverage();
		steps += outcome.steps;
		if (seen[outcome.signature % (1 << 16)] != outcome.signature) {
			seen[outcome.signature % (1 << 16)] = outcome.signature;
			distinct++;
		}
		if (outcome.oracle)
			return report_failure(i);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	seconds = (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("%s under %s: %llu schedules, %.0f/s, %.1f steps each, about %llu distinct; fills %llu (%llu speculative), "
	       "stale but legal uses %llu, interrupts %llu, faults %llu, late stores %llu\n",
	       scenario->name, args.tlb, (unsigned long long)args.schedules, args.schedules / seconds,
	       (double)steps / args.schedules, (unsigned long long)distinct,
	       (unsigned long long)total.fills, (unsigned long long)total.speculative_fills, (unsigned long long)total.stale_legal,
	       (unsigned long long)total.ipis, (unsigned long long)total.faults, (unsigned long long)total.drains);
	if (!total.stale_legal && !scenario->no_stale) {
		printf("vacuous: no stale but legal use was ever seen, so nothing is proven\n");
		return 1;
	}
	return 0;
}

static const struct scenario *find_scenario(const char *name)
{
	const struct scenario *s;

	REGISTRY_FOR_EACH (s, scenarios)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

static const struct test *find_test(const char *name)
{
	const struct test *t;

	REGISTRY_FOR_EACH (t, tests)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

static void list(void)
{
	const struct detects *d;
	const struct scenario *s;
	const struct test *t;
	const struct preset *p;
	char error[200];

	machine.arch.pcid = args.pcid;
	REGISTRY_FOR_EACH (s, scenarios)
		printf("%-28s %u CPUs and more; %s\n", s->name, s->min_cpus, s->help);
	REGISTRY_FOR_EACH (t, tests)
		printf("test:%-23s %u CPUs and more; %s\n", t->name, t->min_cpus, t->help);
	/* What each guest test has to catch here. */
	REGISTRY_FOR_EACH (t, tests)
		for (d = t->detects; d < t->detects + ARRAY_SIZE(t->detects); d++)
			if (d->seen & SEEN_SIM)
				printf("sabotage:test:%-14s %u CPUs and more; %s%s\n", t->name, d->min_cpus, d->sabotage->spec,
				       transport_missing(d->sabotage->spec) ? " --pcid" : "");
	/* Presets that are meant to be right, and that this CPU can run. */
	REGISTRY_FOR_EACH (p, presets)
		if (strategy_compose(&machine.shootdown.trial, p->name, strlen(p->name), false, error, sizeof(error)) &&
		    machine.shootdown.trial.traits & REMOTE)
			printf("tlb:%-24s %s\n", p->name, p->help);
}

static void no_set_up(void)
{
}

static void choose_scenario(const char *name)
{
	static struct scenario of_test = { .set_up = no_set_up, .no_stale = true };

	sched.limit = 200000;
	scenario = find_scenario(name);
	if (!strncmp(name, "test:", 5) && (guest_test = find_test(name + 5))) {
		of_test.name = name;
		of_test.min_cpus = guest_test->min_cpus ? guest_test->min_cpus : 1;
		scenario = &of_test;
		if (guest_test->stale_on_purpose)
			oracle_switch("O-STALE", false);
		sched.limit = 20000000;
	}
	if (!scenario)
		usage("--scenario", name, "unknown; --list names them");
}

/* A file that write_replay() wrote; it names scenario, strategy and build, which must be this one. */
static int replay(void)
{
	static char build[128], name[64], spec[128]; /* kept: the run refers to them */
	FILE *f = fopen(args.replay, "r");
	unsigned at, option, xapic, pcid;

	if (!f)
		usage("--replay", args.replay, "no such file");
	if (fscanf(f, "tlblab-replay 1\nbuild %127s\nscenario %63s\ntlb %127s\ncpus %u\nfills %u\nxapic %u\npcid %u\n", build, name,
		   spec, &args.cpus, &args.fills, &xapic, &pcid) != 7)
		usage("--replay", args.replay, "not a replay file");
	if (strcmp(build, SIM_BUILD))
		usage("--replay", args.replay, "written by another build (" SIM_BUILD " is this one)");
	choose_scenario(name);
	args.tlb = spec;
	args.sabotage = true; /* it ran, so it was allowed */
	args.xapic = xapic;
	args.pcid = pcid;
	while (sched.nr < MAX_DECISIONS && fscanf(f, "%u %u\n", &at, &option) == 2)
		sched.list[sched.nr++] = (struct decision){ at, option };
	fclose(f);
	set_up();
	sched.mode = SCHED_REPLAY;
	sched.trace = true;
	run_one();
	if (!outcome.oracle) {
		printf("nothing was violated\n");
		return 0;
	}
	printf("%s: %s\n", outcome.oracle, outcome.text);
	show_steps();
	return 1;
}

static u64 number(const char *what, const char *text, u64 min, u64 max)
{
	u64 value;
	char accepted[80];

	if (parse_uint(text, strlen(text), &value) && value >= min && value <= max)
		return value;
	snprintf(accepted, sizeof(accepted), "%llu..%llu is accepted", (unsigned long long)min, (unsigned long long)max);
	usage(what, text, accepted);
}

/* Options with a value; the next argument, or behind '='. */
static const char *value_of(int argc, char **argv, int *i, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(argv[*i], name, n) || (argv[*i][n] && argv[*i][n] != '='))
		return NULL;
	if (argv[*i][n])
		return argv[*i] + n + 1;
	if (*i + 1 == argc)
		usage(name, "", "a value is missing");
	return argv[++*i];
}

static void check_oracle(const char *what, const char *name, bool known)
{
	char accepted[280];

	snprintf(accepted, sizeof(accepted), "no oracle; there are %s", oracle_names());
	if (!known)
		usage(what, name, accepted);
}

static void parse(int argc, char **argv)
{
	const char *v;
	int i;

	for (i = 1; i < argc; i++) {
		if ((v = value_of(argc, argv, &i, "--tlb")))
			args.tlb = v;
		else if ((v = value_of(argc, argv, &i, "--scenario")))
			args.scenario = v;
		else if ((v = value_of(argc, argv, &i, "--cpus")))
			args.cpus = number("--cpus", v, 1, MODEL_CPUS);
		else if ((v = value_of(argc, argv, &i, "--schedules")))
			args.schedules = number("--schedules", v, 1, ~0ull);
		else if ((v = value_of(argc, argv, &i, "--seed")))
			args.seed = number("--seed", v, 0, ~0ull);
		else if ((v = value_of(argc, argv, &i, "--skip")))
			args.skip = number("--skip", v, 0, ~0ull >> 1);
		else if ((v = value_of(argc, argv, &i, "--depth")))
			args.depth = number("--depth", v, 2, 8);
		else if ((v = value_of(argc, argv, &i, "--fills")))
			args.fills = number("--fills", v, 0, 1000);
		else if ((v = value_of(argc, argv, &i, "--without")))
			check_oracle("--without", v, oracle_switch(v, false));
		else if ((v = value_of(argc, argv, &i, "--only")))
			check_oracle("--only", v, oracle_only(v));
		else if ((v = value_of(argc, argv, &i, "--replay")))
			args.replay = v;
		else if ((v = value_of(argc, argv, &i, "--write")))
			args.write = v;
		else if (!strcmp(argv[i], "--pcid"))
			args.pcid = true;
		else if (!strcmp(argv[i], "--xapic"))
			args.xapic = true;
		else if (!strcmp(argv[i], "--sabotage"))
			args.sabotage = true;
		else if (!strcmp(argv[i], "--quiet"))
			args.quiet = true;
		else if (!strcmp(argv[i], "--list"))
			args.list = true;
		else
			usage("option", argv[i], "unknown; there are --tlb --scenario --cpus --schedules --seed --skip --depth "
			      "--fills --without --only --replay --write --pcid --xapic --sabotage --quiet --list");
	}
}

int main(int argc, char **argv)
{
	char least[100];

	parse(argc, argv);
	if (args.list) {
		list();
		return 0;
	}
	arena_init();
	if (args.replay)
		return replay();
	choose_scenario(args.scenario ? args.scenario : "");
	args.cpus = args.cpus ? args.cpus : scenario->min_cpus > 2 ? scenario->min_cpus : 2;
	if (args.cpus < scenario->min_cpus) {
		snprintf(least, sizeof(least), "%s needs at least %u", scenario->name, scenario->min_cpus);
		usage("--cpus", "too few", least);
	}
	set_up();
	return explore();
}
