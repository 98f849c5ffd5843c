/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator. Runs one scenario under one strategy for many schedules; on a violation shrinks the schedule, shows the last steps
 * of each CPU, and writes a file that replays it.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/arena.h"
#include "sim/arguments.h"
#include "sim/litmus.h"
#include "sim/search.h"
#include "sim/oracle.h"
#include "sim/port.h"
#include "sim/race.h"
#include "sim/run.h"
#include "sim/sched.h"
#include "test.h"

struct coverage total;

void add_coverage(void)
{
	total.fills += model.seen.fills;
	total.speculative_fills += model.seen.speculative_fills;
	total.stale_legal += model.seen.stale_legal;
	total.ipis += model.seen.ipis;
	total.faults += model.seen.faults;
	total.drains += model.seen.drains;
}

/* Too many decisions to keep: it comes again from its seed only. */
static int report_long(u64 schedule)
{
	printf("%s: %s\nthe schedule has too many decisions to be shrunk; it comes again with --scenario %s --tlb %s --cpus %u "
	       "--fills %u%s%s --seed %llu --skip %llu\n",
	       outcome.oracle, outcome.text, scenario->name, args.tlb, scene.cpus, args.fills,
	       flag_names(args.have.flags, " --"), knob_names(args.have.knobs, " --knob "),
	       (unsigned long long)args.seed, (unsigned long long)schedule);
	return 1;
}

static int report_failure(u64 schedule)
{
	printf("violation %s in %s under %s, schedule %llu\n", outcome.oracle, scenario->name, args.tlb,
	       (unsigned long long)schedule);
	return sched.nr == MAX_DECISIONS ? report_long(schedule) : report_found(outcome.oracle);
}

int report_found(const char *oracle)
{
	shrink(oracle);
	printf("%s: %s\n%u decisions are enough\n", outcome.oracle ? outcome.oracle : "(not reproduced)", outcome.text, sched.nr);
	if (outcome.oracle && !strcmp(outcome.oracle, "O-RACE"))
		race_show();
	if (!args.quiet)
		show_steps();
	write_replay();
	printf("replay: ./tlblab sim --replay %s\n", args.write);
	return 1;
}

/* Half of the schedules at random, half PCT of depth 2, 3, 4 in turn; --depth asks for one of them only. */
static void be_schedule(u64 i)
{
	sched.seed = args.seed * 1000003 + i;
	sched.mode = args.depth ? SCHED_PCT : i % 2 ? SCHED_PCT : SCHED_RANDOM;
	sched.depth = args.depth ? args.depth : 2 + i / 2 % 3;
}

static int explore(void)
{
	struct timespec begin, end;
	u64 i, steps = 0, distinct = 0, drawn = args.skip; /* drawn: the last one that says something */
	static u64 seen[1 << 16];
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	sched.mode = SCHED_REPLAY; /* of no decision: how long is it when nobody interferes? */
	sched.nr = 0;
	run_one();
	sched.length = outcome.choices + 1;
	for (i = args.skip; i < args.skip + args.schedules; i++) {
		be_schedule(i);
		run_one();
		add_coverage();
		drawn = model.seen.stale_legal ? i : drawn;
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
	if (args.events) {
		be_schedule(drawn);
		run_traced();
	}
	if (!total.stale_legal && !scenario->no_stale) {
		printf("vacuous: no stale but legal use was ever seen, so nothing is proven\n");
		return 1;
	}
	return run_is_litmus && !litmus_report();
}

static void list(void)
{
	const struct detects *d;
	const struct scenario *s;
	const struct test *t;
	const struct preset *p;
	char error[200];

	port_list(args.have.flags);
	REGISTRY_FOR_EACH (s, scenarios)
		if (!s->wrong)
			printf("%-28s %u CPUs and more; %s\n", s->name, s->min_cpus, s->help);
	REGISTRY_FOR_EACH (t, tests)
		printf("test:%-23s %u CPUs and more; %s\n", t->name, t->min_cpus, t->help);
	/* What each guest test has to catch here. */
	REGISTRY_FOR_EACH (t, tests)
		for (d = t->detects; d < t->detects + ARRAY_SIZE(t->detects); d++)
			if (d->seen & SEEN_SIM)
				printf("sabotage:test:%-14s %u CPUs and more; %s%s\n", t->name, d->min_cpus, d->sabotage->spec,
				       spec_missing(d->sabotage->spec) ? port_tags : "");
	litmus_list();
	/* Presets that are meant to be right, and that this CPU can run. */
	REGISTRY_FOR_EACH (p, presets)
		if (strategy_compose(&machine.shootdown.trial, p->name, strlen(p->name), false, error, sizeof(error)) &&
		    machine.shootdown.trial.traits & REMOTE)
			printf("tlb:%-24s %s\n", p->name, p->help);
}

int main(int argc, char **argv)
{
	char least[100];

	arguments_parse(argc, argv);
	if (args.list) {
		list();
		return 0;
	}
	arena_init();
	if (args.replay)
		return replay();
	choose_scenario(args.scenario);
	args.cpus = args.cpus ? args.cpus : scenario->min_cpus > 2 ? scenario->min_cpus : 2;
	if (args.cpus < scenario->min_cpus) {
		snprintf(least, sizeof(least), "%s needs at least %u", scenario->name, scenario->min_cpus);
		usage("--cpus", "too few", least);
	}
	sched.still = args.exhaustive;
	set_up();
	return args.exhaustive ? close_all() : explore();
}
