/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Litmus shapes (tests/litmus/) as scenarios: each thread is a CPU, all from the state that the shape begins with. A forbidden
 * outcome ends the schedule as VALUE; what is allowed is counted, and has to be seen in the end. Owns the counts.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sim/litmus.h"
#include "sim/model.h"
#include "sim/oracle.h"

#define PREFIX "litmus:"
#define OUTCOMES 2

static const struct litmus *shape;
static struct {
	u64 runs, premise, outcome[OUTCOMES];
} counts;

static void set_up(void)
{
	unsigned cpu;

	CHECK(litmus_create(&scene.litmus, shape));
	litmus_rewind(&scene.litmus);
	scene_watch(LITMUS_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.litmus.mm);
		if (cpu < litmus_threads(shape))
			litmus_hold(&scene.litmus, cpu);
	}
}

static void judge(const struct litmus_outcome *o, u64 *count)
{
	char text[80];

	if (!o->name || !litmus_outcome(shape, o, scene.litmus.reg))
		return;
	++*count;
	litmus_value_text(shape, &o->is, text, sizeof(text));
	if (o->by[litmus_isa()].verdict == FORBIDDEN && oracle_on("VALUE"))
		violation("VALUE", "%s (%s) is forbidden by rule %s", o->name, text, o->by[litmus_isa()].why);
}

static void run(unsigned cpu)
{
	unsigned i;

	if (cpu < litmus_threads(shape))
		litmus_thread(&scene.litmus, cpu);
	if (++scene.flag[0].raw != scene.cpus)
		return;
	counts.runs++;
	counts.premise += litmus_premise(shape, scene.litmus.reg);
	for (i = 0; i < OUTCOMES; i++)
		judge(&shape->outcome[i], &counts.outcome[i]);
}

const struct scenario *litmus_scenario(const char *name)
{
	static struct scenario s = { .set_up = set_up, .run = run, .no_stale = true };

	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return NULL;
	REGISTRY_FOR_EACH (shape, litmuses)
		if (!strcmp(shape->name, name + strlen(PREFIX)) && litmus_is_here(shape))
			break;
	if (shape == __stop_litmuses)
		return NULL;
	oracle_switch("I-BREAK", false); /* shapes break that rule on purpose, or change tables that nobody can walk */
	s.name = name;
	s.help = shape->help;
	s.min_cpus = litmus_threads(shape);
	return &s;
}

/* One line for each outcome; true: it is as the shape says. */
static bool report(const struct litmus_outcome *o, u64 count)
{
	enum litmus_verdict verdict = o->by[litmus_isa()].verdict;
	bool missing = verdict == ALLOWED && !count && !o->not_modelled;
	bool unexpected = count && o->not_modelled;

	printf("litmus %s %s: %llu of %llu, its premise %llu; %s by rule %s%s%s%s\n", shape->name, o->name, (llu)count,
	       (llu)counts.runs, (llu)counts.premise, litmus_verdict_name(verdict), o->by[litmus_isa()].why,
	       o->not_modelled ? "; not modelled" : "", missing ? ": NEVER SEEN" : "", unexpected ? ": SEEN ALL THE SAME" : "");
	return !missing && !unexpected;
}

bool litmus_report(void)
{
	bool good = counts.premise || shape->outcome[0].not_modelled;
	unsigned i;

	for (i = 0; i < OUTCOMES && shape->outcome[i].name; i++)
		good &= report(&shape->outcome[i], counts.outcome[i]);
	if (!good && !counts.premise)
		printf("vacuous: what has to come before never did\n");
	return good;
}

/* name, threads' texts, outcome, registers, verdict, rule, why it is not modelled: with tabs between, for tools/litmus.py. */
static void list_outcome(const struct litmus *s, const struct litmus_outcome *o)
{
	char text[300];
	unsigned i;

	printf("%s%s\t%u\t%s\t%s", PREFIX, s->name, litmus_threads(s), s->help, o->name);
	printf("\t%s\t%s\t%s", litmus_verdict_name(o->by[litmus_isa()].verdict), o->by[litmus_isa()].why,
	       o->not_modelled ? o->not_modelled : "");
	for (i = 0; i < ARRAY_SIZE(s->premise) && s->premise[i].there; i++) {
		litmus_value_text(s, &s->premise[i], text, sizeof(text));
		printf("%s%s", i ? ", " : "\t", text);
	}
	litmus_value_text(s, &o->is, text, sizeof(text));
	printf("%s%s", i ? ", " : "\t", text);
	for (i = 0; i < litmus_threads(s); i++) {
		litmus_thread_text(s, i, text, sizeof(text));
		printf("\t%s", text);
	}
	printf("\n");
}

void litmus_list(void)
{
	const struct litmus *s;
	unsigned i;

	REGISTRY_FOR_EACH (s, litmuses)
		for (i = 0; i < OUTCOMES && s->outcome[i].name && litmus_is_here(s); i++)
			list_outcome(s, &s->outcome[i]);
}
