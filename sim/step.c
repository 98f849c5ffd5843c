/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Schedules: CPUs as fibers, of which one runs at a time. Before each primitive of a CPU (model_step()) and where one can't go on
 * (model_block()) a decision is made (choose.c), and done here. Owns the fibers, sched, outcome.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/choose.h"
#include "sim/fiber.h"
#include "sim/oracle.h"
#include "sim/sched.h"
#include "sim/tlb.h"

struct model model;
struct sched sched = { .length = 1 };
struct outcome outcome;
bool sched_on;

static struct fiber fibers[MODEL_CPUS], main_fiber;
static void (*entry_of_all)(unsigned cpu);

void violation(const char *oracle, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	outcome.oracle = oracle_on(oracle) ? oracle : NULL;
	vsnprintf(outcome.text, sizeof(outcome.text), fmt, args);
	va_end(args);
	if (!sched_on) {
		fprintf(stderr, "tlblab sim: %s while the scenario is set up: %s\n", oracle, outcome.text);
		exit(3);
	}
	fiber_switch(&fibers[model.current], &main_fiber);
	__builtin_unreachable();
}

void *sim_this_cpu;
static char *this_base;
static size_t this_stride;

void sched_cpus_at(void *base, size_t stride)
{
	this_base = base;
	this_stride = stride;
	sched_be(0);
}

void sched_be(unsigned cpu)
{
	model.current = cpu;
	sim_this_cpu = this_base + cpu * this_stride;
}

bool may_run(unsigned cpu)
{
	struct model_cpu *c = &model.cpu[cpu];

	if (c->state == CPU_RUNS)
		return true;
	if (c->state != CPU_BLOCKED)
		return false;
	if (c->arrivals != c->wait_arrivals || (c->irq_on && c->pending))
		return true;
	/* Its own buffered stores are seen by itself only; they were issued before it blocked, so memory is what changes. */
	return c->wait_word && *c->wait_word != c->wait_seen;
}

static void switch_to(unsigned cpu)
{
	struct fiber *from = &fibers[model.current];

	sched_be(cpu);
	fiber_switch(from, &fibers[cpu]);
}

static void take_interrupt(void)
{
	struct model_cpu *c = &model.cpu[model.current];
	unsigned vector = (unsigned)__builtin_ctz(c->pending);

	c->pending &= ~(1u << vector);
	c->irq_on = false;
	isa_exception(model.current);
	sched_interrupt(vector);
	isa_exception_return(model.current);
	c->irq_on = true;
}

/* Does one option that is not "go on". True: control came back to this CPU through a switch. */
static bool perform(const struct option *o)
{
	switch (o->kind) {
	case GO_ON:
		break;
	case INTERRUPT:
		take_interrupt();
		break;
	case SWITCH:
		switch_to(o->cpu);
		return true;
	case DRAIN:
		memory_drain_one(o->cpu);
		break;
	case FILL:
		model.fill_budget--;
		tlb_spontaneous(o->cpu, model.va[o->va]);
		break;
	case COMPLETE:
		tlb_complete(o->va);
		break;
	}
	return false;
}

static void keep_step(const char *what, u64 a, u64 b)
{
	struct model_cpu *c = &model.cpu[model.current];

	c->last[c->nr_last++ % LAST_STEPS] = (struct step_log){ model.step, what, a, b };
}

void model_step(const char *what, u64 a, u64 b)
{
	struct option next;

	if (!sched_on)
		return;
	if (++model.step > sched.limit)
		violation("I-PROGRESS", "no end after %llu steps; CPU %u is at %s", (unsigned long long)sched.limit,
			  model.current, what);
	do {
		choose(true, &next);
	} while (next.kind != GO_ON && !perform(&next));
	if (sched.trace)
		keep_step(what, a, b);
}

/* Nobody can run: what else can happen? Stores leave their buffers in the end, interrupts arrive. */
static void describe_deadlock(void)
{
	char text[300] = "";
	size_t at = 0;
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus && at < sizeof(text); cpu++)
		if (model.cpu[cpu].state == CPU_BLOCKED)
			at += snprintf(text + at, sizeof(text) - at, " CPU %u waits for %s%p;", cpu,
				       model.cpu[cpu].wait_word ? "a change of " : "an interrupt ",
				       (const void *)model.cpu[cpu].wait_word);
	violation("I-DEADLOCK", "nobody can go on:%s", text);
}

/* The current CPU can't go on (blocked or done): something else happens. */
static void let_others(void)
{
	struct option next;

	if (!choose(false, &next))
		describe_deadlock();
	perform(&next);
}

void model_block(const u64 *word, u64 seen)
{
	struct model_cpu *c = &model.cpu[model.current];

	if (!sched_on)
		return;
	c->wait_word = word;
	c->wait_seen = seen;
	c->wait_arrivals = c->arrivals;
	c->state = CPU_BLOCKED;
	while (!may_run(model.current))
		let_others();
	c->state = CPU_RUNS;
	if (c->irq_on && c->pending)
		take_interrupt();
}

void sched_send(unsigned cpu, unsigned vector)
{
	model.cpu[cpu].pending |= 1u << vector;
	model.cpu[cpu].arrivals++;
	model.seen.ipis++;
}

static bool all_done(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (model.cpu[cpu].state != CPU_DONE)
			return false;
	return true;
}

void sched_end(void)
{
	fiber_switch(&fibers[model.current], &main_fiber);
}

static void fiber_main(void)
{
	entry_of_all(model.current);
	model.cpu[model.current].state = CPU_DONE;
	while (!all_done())
		let_others();
	fiber_switch(&fibers[model.current], &main_fiber);
}

void sched_run(unsigned n, void (*entry)(unsigned cpu))
{
	unsigned cpu;

	outcome = (struct outcome){ .signature = 0xcbf29ce484222325ull };
	choose_begin(n);
	entry_of_all = entry;
	for (cpu = 0; cpu < n; cpu++) {
		model.cpu[cpu].state = CPU_RUNS;
		fiber_start(&fibers[cpu], fiber_main);
	}
	sched_be(0);
	sched_on = true;
	fiber_switch(&main_fiber, &fibers[0]);
	sched_on = false;
	outcome.steps = model.step;
}
