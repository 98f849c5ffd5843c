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
#include "sim/race.h"
#include "sim/sched.h"
#include "sim/tlb.h"

struct model model;
struct sched sched = { .length = 1 };
struct outcome outcome;
bool sched_on;
void (*model_watch)(unsigned cpu, const char *name, u64 a, u64 b);

static struct fiber fibers[MODEL_CPUS], main_fiber;
static void (*entry_of_all)(unsigned cpu);
static struct event told; /* by the search: what happens next */
static struct step_log standing[MODEL_CPUS]; /* what each is about to do */
static bool ended; /* an oracle spoke, or sched_end() */

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
	sched_end();
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

/* Its own buffered stores are seen by itself only; they were issued before it blocked, so memory is what changes. */
static bool word_changed(const struct model_cpu *c)
{
	return c->wait_word && *c->wait_word != c->wait_seen;
}

bool may_run(unsigned cpu)
{
	struct model_cpu *c = &model.cpu[cpu];

	if (c->state == CPU_RUNS)
		return true;
	if (c->state != CPU_BLOCKED)
		return false;
	/* A halt ends when an interrupt is taken; a spinning wait looks round after one that came while it was looking. */
	return (c->irq_on && c->pending) || (c->wait_word && c->arrivals != c->wait_arrivals) || word_changed(c);
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

	c->interrupt_first = false;
	c->pending &= ~(1u << vector);
	model_saw(model.current, "ipi taken", vector, 0);
	c->irq_on = false;
	c->irq_off_at = model.step;
	isa_exception(model.current);
	c->in_handler = true;
	sched_interrupt(vector);
	c->in_handler = false;
	isa_exception_return(model.current);
	c->irq_on = true;
}

/* Nobody can run: what else can happen? Stores leave their buffers in the end, interrupts arrive. */
_Noreturn static void describe_deadlock(void)
{
	char text[sizeof(outcome.text) - 100];

	oracle_waits(text, sizeof(text));
	violation("I-DEADLOCK", "nobody can go on%s", text);
}

_Noreturn static void describe_livelock(void)
{
	char text[sizeof(outcome.text) - 100];

	oracle_waits(text, sizeof(text));
	violation("I-LIVELOCK", "the same state comes again, although all who can go on do%s", text);
}

/* Does one option that is not "go on". True: control came back to this CPU through a switch. */
static bool perform(const struct event *o)
{
	switch (o->kind) {
	case GO_ON:
		break;
	case INTERRUPT:
		if (o->cpu == model.current) {
			take_interrupt();
			break;
		}
		model.cpu[o->cpu].interrupt_first = true;
		switch_to(o->cpu);
		return true;
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
	case STUCK:
		describe_deadlock();
	case ROUND:
		describe_livelock();
	case FREE:
		break; /* decided where it comes up */
	}
	return false;
}

/* In a search: this CPU stands here until it is told to go on (false), or to take an interrupt first. */
static bool stand(void)
{
	for (;;) {
		fiber_switch(&fibers[model.current], &main_fiber);
		if (told.kind == GO_ON || told.kind == INTERRUPT)
			return told.kind == INTERRUPT;
		perform(&told);
	}
}

/* Whoever let this CPU go on wants it to take an interrupt before its next primitive. */
static bool interrupted(void)
{
	if (!model.cpu[model.current].interrupt_first)
		return false;
	take_interrupt();
	return true;
}

static void keep_step(const char *what, u64 a, u64 b)
{
	struct model_cpu *c = &model.cpu[model.current];

	c->last[c->nr_last++ % LAST_STEPS] = (struct step_log){ model.step, what, a, b };
}

void model_step(const char *what, u64 a, u64 b)
{
	struct event next;

	if (!sched_on)
		return;
	if (++model.step > sched.limit)
		violation("I-PROGRESS", "no end after %llu steps; CPU %u is at %s", (unsigned long long)sched.limit,
			  model.current, what);
	standing[model.current] = (struct step_log){ model.step, what, a, b };
	if (sched.mode == SCHED_EXHAUSTIVE) {
		while (stand()) {
			take_interrupt();
			/* Its handler stood elsewhere; this CPU is here again. */
			standing[model.current] = (struct step_log){ model.step, what, a, b };
		}
		return;
	}
	do {
		choose(true, &next);
	} while (next.kind != GO_ON && (!perform(&next) || interrupted()));
	if (sched.trace)
		keep_step(what, a, b);
	model_saw(model.current, what, a, b);
}

/* The current CPU can't go on (blocked or done): something else happens. */
static void let_others(void)
{
	struct event next;

	if (!choose(false, &next))
		describe_deadlock();
	perform(&next);
}

void model_block(const u64 *word, u64 seen)
{
	struct model_cpu *c = &model.cpu[model.current];
	bool taken;

	if (!sched_on)
		return;
	c->wait_word = word;
	c->wait_seen = seen;
	c->state = CPU_BLOCKED;
	if (sched.mode == SCHED_EXHAUSTIVE) {
		taken = stand();
	} else {
		while (!may_run(model.current))
			let_others();
		/* A wait that a word ended need not take the interrupt yet: the next step may. */
		taken = c->irq_on && c->pending && !word_changed(c);
	}
	c->state = CPU_RUNS;
	/* What arrives from here on, also while the waiter looks round, makes it look once more. */
	c->wait_arrivals = c->arrivals;
	if (taken)
		take_interrupt();
}

void sched_send(unsigned cpu, unsigned vector)
{
	model.cpu[cpu].pending |= 1u << vector;
	model.cpu[cpu].arrivals++;
	model_saw(model.current, "ipi sent", cpu, vector);
	model.seen.ipis++;
	race_send(cpu);
}

bool sched_all_done(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (model.cpu[cpu].state != CPU_DONE)
			return false;
	return true;
}

void sched_end(void)
{
	ended = true;
	fiber_switch(&fibers[model.current], &main_fiber);
}

static void fiber_main(void)
{
	interrupted();
	entry_of_all(model.current);
	model.cpu[model.current].state = CPU_DONE;
	while (sched.mode == SCHED_EXHAUSTIVE)
		stand();
	while (!sched_all_done())
		let_others();
	sched_end();
}

/* --- for a search (exhaust.c), from outside the fibers --- */

/*
 * What returned calls left behind would make equal states look different when it shows in later frames: `bytes` of it are cleared,
 * as many as most calls use. (More would only cost time, less only make more states.)
 */
static void clear_dead(struct fiber *f, size_t bytes)
{
	size_t left = (size_t)((char *)f->sp - f->stack);

	bytes = bytes < left ? bytes : left;
	memset((char *)f->sp - bytes, 0, bytes);
}

bool sched_do(const struct event *o)
{
	told = *o;
	if (o->kind == GO_ON || o->kind == INTERRUPT)
		sched_be(o->cpu);
	fiber_switch(&main_fiber, &fibers[model.current]);
	clear_dead(&fibers[model.current], 768);
	return !ended && !sched_all_done();
}

const struct step_log *sched_standing(unsigned cpu)
{
	return &standing[cpu];
}

char *sched_stack(unsigned cpu, char **top)
{
	*top = fibers[cpu].stack + fibers[cpu].size;
	return fibers[cpu].sp;
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
	ended = false;
	sched_on = true;
	if (sched.mode == SCHED_EXHAUSTIVE) {
		for (cpu = 0; cpu < n; cpu++)
			clear_dead(&fibers[cpu], 8192);
		sched.search();
	} else {
		fiber_switch(&main_fiber, &fibers[0]);
	}
	sched_on = false;
	outcome.steps = model.step;
}
