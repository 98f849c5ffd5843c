/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --exhaustive: every schedule of a scenario within the bounds (exhaust.c), with progress, and what came of it. What was found
 * becomes an ordinary schedule, so that it is shrunk, shown and replayed as any other. No state of its own but the time of the
 * beginning.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/arguments.h"
#include "sim/litmus.h"
#include "sim/search.h"
#include "sim/exhaust.h"
#include "sim/reduce.h"
#include "sim/run.h"
#include "sim/sched.h"
#include "sim/state.h"

#define PROGRESS_SECONDS 5

static double begun, spoken;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Of what is tried at each state of the path: where states come again the rest goes faster than that. */
static void progress(double done)
{
	double now = seconds();

	if (now - spoken < PROGRESS_SECONDS)
		return;
	spoken = now;
	fprintf(stderr, "progress %.3f %% after %.0f s: %llu schedules, %llu states (begun %u times); at most %.3g s to go\n",
		100 * done, now - begun,
		(llu)search.schedules, (llu)search.states, search.restarts + 1, done > 0 ? (now - begun) * (1 - done) / done : 0.0);
}

static u64 outcome_of_all(void)
{
	add_coverage();
	return state_outcome();
}

static void run(void)
{
	run_one();
	if (!search.outcomes)
		add_coverage();
}

/* In the order of their names; the values are hashes. */
static void show_outcomes(void)
{
	u64 sum = 0;
	unsigned i, good = 0;

	for (i = 0; i < search.nr_found; i++)
		if (search.found[i].oracle)
			printf("outcome %s\n", search.found[i].oracle);
		else
			good++, sum += search.found[i].value;
	printf("outcomes without a violation: %u, together %016llx\n", good, (llu)sum);
}

static void show_bounds(void)
{
	printf("at most %u fills", args.fills);
	if (args.preemptions >= 0)
		printf(", at most %d preemptions", (int)args.preemptions);
	if (args.unreduced)
		printf(", unreduced");
}

static int show(void)
{
	double took = seconds() - begun;

	printf("%s under %s, %u CPUs: %s, ", scenario->name, args.tlb, scene.cpus,
	       search.closed ? "closed" : "not closed: too many states");
	show_bounds();
	printf(": %llu schedules, %.0f/s, for %.3g interleavings; %llu states, the longest way %u steps%s; begun %u times; stale "
	       "but legal uses %llu, %.1f s\n",
	       (llu)search.schedules, search.schedules / took, search.interleavings, (llu)search.states, search.longest,
	       search.bounded ? ", more preemptions would make more" : "", search.restarts + 1, (llu)total.stale_legal, took);
	if (args.outcomes)
		show_outcomes();
	if (!search.closed)
		return 4;
	if (run_is_litmus)
		return !litmus_report();
	if (!total.stale_legal && !scenario->no_stale) {
		printf("vacuous: no stale but legal use was ever seen, so nothing is proven\n");
		return 1;
	}
	return 0;
}

/* The same again, as a schedule of decisions. */
static void follow(void)
{
	unsigned nr;
	const struct guide *list = exhaust_guide(&nr);

	choose_guide(list, nr);
	sched.mode = SCHED_GUIDED;
	run_one();
}

static int found(void)
{
	static char text[sizeof(outcome.text)];
	const char *oracle = search.oracle;

	memcpy(text, outcome.text, sizeof(text));
	printf("violation %s in %s under %s, schedule %llu\n", oracle, scenario->name, args.tlb, (llu)search.schedules - 1);
	printf("exhaustive, after %llu states, %.1f s: %.*s\n", (llu)search.states, seconds() - begun,
	       (int)strcspn(text, "\n"), text);
	follow();
	if (!outcome.oracle || strcmp(outcome.oracle, oracle)) {
		printf("(as a schedule of decisions: %s)\n", outcome.oracle ? outcome.oracle : "nothing");
		return 1;
	}
	return report_found(oracle);
}

int close_all(void)
{
	if (!scenario->run || scene.cpus > REDUCE_CPUS)
		usage("--exhaustive", scenario->name, "no guest test, and at most 16 CPUs");
	begun = spoken = seconds();
	search.preemptions = (int)args.preemptions;
	search.unreduced = args.unreduced;
	search.outcomes = state_accesses = args.outcomes;
	search.max_states = args.states;
	search.run = run;
	search.state = run_state;
	search.outcome = outcome_of_all;
	search.progress = progress;
	glue_reset(args.fills);
	state_base();
	exhaust();
	if (search.oracle)
		return found();
	if (state_unhashed_changed()) {
		printf("MODEL: a run changes what was taken for constant (sim/state.c)\n");
		return 1;
	}
	return show();
}
