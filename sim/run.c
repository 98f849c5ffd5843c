/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One schedule of a scenario, or of a guest test as if it were one. Owns the choice of the scenario, and how many CPUs have
 * finished the run under way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/arguments.h"
#include "sim/glue.h"
#include "sim/litmus.h"
#include "sim/oracle.h"
#include "sim/race.h"
#include "sim/run.h"
#include "sim/sched.h"
#include "sim/state.h"
#include "task/worker.h"
#include "test.h"

const struct scenario *scenario;
bool run_is_litmus;
static const struct test *guest_test; /* instead of a scenario's own code */
static u64 finished;

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

void run_one(void)
{
	glue_reset(args.fills);
	state_begin();
	finished = 0;
	race_begin();
	sched_run(scene.cpus, run_cpu);
}

u64 run_state(void)
{
	return state_of_all() + finished;
}

void set_up(void)
{
	const char *error = glue_set_up(scenario, args.tlb, args.cpus, &args.have, args.sabotage);

	if (error) {
		fprintf(stderr, "tlblab sim: %s\n", error);
		exit(2);
	}
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

static void no_set_up(void)
{
}

void choose_scenario(const char *name)
{
	static struct scenario of_test = { .set_up = no_set_up, .no_stale = true };

	sched.limit = 200000;
	scenario = litmus_scenario(name);
	run_is_litmus = scenario;
	if (!scenario)
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
	if (scenario->wrong && !args.sabotage)
		usage("--scenario", name, "wrong on purpose, so only with --sabotage");
}
