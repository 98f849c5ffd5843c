/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who goes next. Before each primitive of a CPU (model_step()) and where one can't go on (model_block()) a decision is made among options, in this
 * order: 0 go on; take a pending interrupt; let another CPU run; let the oldest buffered store of some CPU reach memory; let a walker of
 * some CPU fill an address. Random: something interferes in one of four steps. PCT (Burckhardt et al., ASPLOS 2010): CPUs, buffers and
 * walkers have random priorities, the highest goes, and at depth - 1 random steps the one that goes drops to the bottom.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/fiber.h"
#include "sim/sched.h"

#define PCT_STEPS 400 /* change points fall into the first so many choices */
#define MAX_DEPTH 8
#define PATIENCE 3000 /* PCT: choices after which a CPU that always wins drops to the bottom: it may be waiting for others in a loop */

struct model model;
struct sched sched;
struct outcome outcome;
bool sched_on;

static struct fiber fibers[MODEL_CPUS], main_fiber;
static void (*entry_of_all)(unsigned cpu);
static u64 random_state;
static u64 pct_buffer[MODEL_CPUS], pct_walker[MODEL_CPUS]; /* priorities */
static u64 pct_change[MAX_DEPTH], pct_low, pct_since; /* since: choice at which the current CPU came to run */
static unsigned replayed;

u64 random_step(u64 *state)
{
	u64 x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

void violation(const char *oracle, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	outcome.oracle = oracle;
	vsnprintf(outcome.text, sizeof(outcome.text), fmt, args);
	va_end(args);
	fiber_switch(&fibers[model.current], &main_fiber);
	__builtin_unreachable();
}

/* --- options --- */

enum kind { GO_ON, INTERRUPT, SWITCH, DRAIN, FILL };

struct option {
	enum kind kind;
	unsigned cpu, va;
};

#define MAX_SHOWN 256

static bool may_run(unsigned cpu)
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

static unsigned list_options(struct option *list, bool can_go_on)
{
	unsigned n = 0, cpu, v;
	struct model_cpu *c = &model.cpu[model.current];

	list[n++] = (struct option){ .kind = GO_ON };
	if (can_go_on && c->irq_on && c->pending)
		list[n++] = (struct option){ .kind = INTERRUPT };
	for (cpu = 0; cpu < model.nr_cpus && n < MAX_SHOWN; cpu++)
		if (cpu != model.current && may_run(cpu))
			list[n++] = (struct option){ .kind = SWITCH, .cpu = cpu };
	for (cpu = 0; cpu < model.nr_cpus && n < MAX_SHOWN; cpu++)
		if (model.cpu[cpu].nr_stores)
			list[n++] = (struct option){ .kind = DRAIN, .cpu = cpu };
	for (cpu = 0; model.fill_budget && cpu < model.nr_cpus; cpu++)
		for (v = 0; v < model.nr_va && n < MAX_SHOWN; v++)
			list[n++] = (struct option){ .kind = FILL, .cpu = cpu, .va = v };
	return n;
}

/* --- the three ways to decide --- */

static u64 priority(const struct option *o)
{
	switch (o->kind) {
	case GO_ON:
	case INTERRUPT:
		return model.cpu[model.current].priority;
	case SWITCH:
		return model.cpu[o->cpu].priority;
	case DRAIN:
		return pct_buffer[o->cpu];
	case FILL:
		return pct_walker[o->cpu];
	}
	return 0;
}

static void lower(const struct option *o)
{
	u64 *p = o->kind == DRAIN ? &pct_buffer[o->cpu] : o->kind == FILL ? &pct_walker[o->cpu] :
		 o->kind == SWITCH ? &model.cpu[o->cpu].priority : &model.cpu[model.current].priority;

	*p = --pct_low;
}

static unsigned pick_pct(const struct option *list, unsigned n, bool can_go_on)
{
	unsigned i, best;

	for (;;) {
		best = can_go_on ? 0 : 1;
		for (i = best + 1; i < n; i++)
			if (priority(&list[i]) > priority(&list[best]) || (list[i].kind == INTERRUPT && priority(&list[i]) == priority(&list[best])))
				best = i;
		for (i = 0; i + 1 < sched.depth && pct_change[i] != outcome.choices; i++)
			;
		if (i + 1 >= sched.depth)
			break;
		pct_change[i] = 0;
		lower(&list[best]);
	}
	if (outcome.choices - pct_since > PATIENCE) {
		pct_since = outcome.choices;
		model.cpu[model.current].priority = --pct_low;
	}
	if (list[best].kind == SWITCH)
		pct_since = outcome.choices;
	/* A walker of high priority would fill for ever: it drops after each fill. */
	if (list[best].kind == FILL)
		lower(&list[best]);
	return best;
}

/* Nothing is decided for "go on" in a random run or a replay without looking at the options: that is the common case. */
static bool go_on_at_once(bool can_go_on)
{
	if (!can_go_on)
		return false;
	if (sched.mode == SCHED_RANDOM)
		return random_step(&random_state) >> 62 != 0;
	if (sched.mode == SCHED_REPLAY)
		return replayed >= sched.nr || sched.list[replayed].at != outcome.choices;
	return false;
}

static void note(unsigned option)
{
	outcome.signature = (outcome.signature ^ (outcome.choices << 8 | option)) * 0x100000001b3ull;
	if (sched.mode != SCHED_REPLAY && sched.nr < MAX_DECISIONS)
		sched.list[sched.nr++] = (struct decision){ outcome.choices, option };
}

/* An option among list[0..n); without can_go_on never 0 (n > 1 then). */
static unsigned pick(const struct option *list, unsigned n, bool can_go_on)
{
	unsigned option = 0;

	if (n == 1)
		return 0;
	switch (sched.mode) {
	case SCHED_RANDOM:
		option = can_go_on ? random_step(&random_state) % n : 1 + random_step(&random_state) % (n - 1);
		break;
	case SCHED_PCT:
		option = pick_pct(list, n, can_go_on);
		break;
	case SCHED_REPLAY:
		if (replayed < sched.nr && sched.list[replayed].at == outcome.choices)
			option = sched.list[replayed++].option;
		if (option >= n)
			option = 0;
		if (!option && !can_go_on)
			option = 1;
		break;
	}
	if (option)
		note(option);
	return option;
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
	sched_interrupt(vector);
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
	struct option list[MAX_SHOWN];
	unsigned n, option;

	if (!sched_on)
		return;
	if (++model.step > sched.limit)
		violation("I-PROGRESS", "no end after %llu steps; CPU %u is at %s", (unsigned long long)sched.limit, model.current, what);
	for (;;) {
		outcome.choices++;
		if (go_on_at_once(true))
			break;
		n = list_options(list, true);
		option = pick(list, n, true);
		if (!option || perform(&list[option]))
			break;
	}
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
			at += snprintf(text + at, sizeof(text) - at, " CPU %u waits for %s%p;", cpu, model.cpu[cpu].wait_word ? "a change of " : "an interrupt ",
				       (const void *)model.cpu[cpu].wait_word);
	violation("I-DEADLOCK", "nobody can go on:%s", text);
}

/* The current CPU can't go on (blocked or done): something else happens. */
static void let_others(void)
{
	struct option list[MAX_SHOWN];
	unsigned n;

	outcome.choices++;
	n = list_options(list, false);
	if (n == 1)
		describe_deadlock();
	perform(&list[pick(list, n, false)]);
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
	unsigned cpu, i;

	outcome = (struct outcome){ .signature = 0xcbf29ce484222325ull };
	random_state = sched.seed * 2 + 1;
	replayed = 0;
	if (sched.mode != SCHED_REPLAY)
		sched.nr = 0;
	pct_low = 1ull << 32;
	pct_since = 0;
	for (i = 0; i < MAX_DEPTH; i++)
		pct_change[i] = 1 + random_step(&random_state) % PCT_STEPS;
	entry_of_all = entry;
	for (cpu = 0; cpu < n; cpu++) {
		model.cpu[cpu].state = CPU_RUNS;
		model.cpu[cpu].priority = random_step(&random_state) >> 8 | 1ull << 40;
		pct_buffer[cpu] = random_step(&random_state) >> 8 | 1ull << 40;
		pct_walker[cpu] = random_step(&random_state) >> 8 | 1ull << 40;
		fiber_start(&fibers[cpu], fiber_main);
	}
	sched_be(0);
	sched_on = true;
	fiber_switch(&main_fiber, &fibers[0]);
	sched_on = false;
	outcome.steps = model.step;
}
