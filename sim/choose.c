/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decisions: what can happen next, and which of it does. Options in this order: 0 go on; take a pending interrupt; let
 * another CPU run, or take one; let the oldest buffered store of a CPU reach memory; let a broadcast invalidation take effect on
 * some CPU; let a walker of some CPU fill an address. Random: something interferes in one of 4 to 32 steps. PCT (Burckhardt et
 * al., ASPLOS 2010): CPUs and buffers have random priorities, the highest goes, and at depth - 1 random steps the one that goes
 * drops to the bottom. Walkers fill at random moments of the whole run in both. Replay: as listed. Owns the state of the choice
 * under way, set anew for each schedule.
 */
#include "sim/choose.h"
#include "sim/sched.h"

#define MAX_DEPTH 8
#define PATIENCE 3000 /* PCT: choices after which whoever runs drops to the bottom; see be_fair() */

static u64 random_state;
static unsigned calm; /* random: something interferes in one of 2^calm choices */
static bool fill_due; /* the choice under way is a fill */
static u64 pct_buffer[MODEL_CPUS], pct_broadcast[MODEL_CPUS]; /* priorities */
static u64 pct_change[MAX_DEPTH], pct_low, pct_since; /* since: choice at which it was last made fair */
static unsigned replayed;
static const struct guide *guide;
static unsigned nr_guide, guided;

static u64 random_step(u64 *state)
{
	u64 x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

#define MAX_SHOWN 256

/* It stands before a primitive, and may take an interrupt there. One that waits takes it when its wait ends. */
static bool interruptible(unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];

	return c->state == CPU_RUNS && c->irq_on && c->pending;
}

/* `usable`: how many of them come before the fills, which are last. */
static unsigned list_options(struct event *list, bool can_go_on, unsigned *usable)
{
	unsigned n = 0, cpu, v;

	list[n++] = (struct event){ .kind = GO_ON };
	if (can_go_on && interruptible(model.current))
		list[n++] = (struct event){ .kind = INTERRUPT, .cpu = model.current };
	for (cpu = 0; cpu < model.nr_cpus && n < MAX_SHOWN - 1; cpu++) {
		if (cpu == model.current || !may_run(cpu))
			continue;
		list[n++] = (struct event){ .kind = SWITCH, .cpu = cpu };
		if (interruptible(cpu))
			list[n++] = (struct event){ .kind = INTERRUPT, .cpu = cpu };
	}
	for (cpu = 0; cpu < model.nr_cpus && n < MAX_SHOWN; cpu++)
		if (memory_pending(cpu))
			list[n++] = (struct event){ .kind = DRAIN, .cpu = cpu };
	for (v = 0; v < model.nr_outstanding && n < MAX_SHOWN; v++)
		list[n++] = (struct event){ .kind = COMPLETE, .cpu = model.outstanding[v].target, .va = v };
	*usable = n;
	for (cpu = 0; model.fill_budget && cpu < model.nr_cpus; cpu++)
		for (v = 0; v < model.nr_va && n < MAX_SHOWN; v++)
			list[n++] = (struct event){ .kind = FILL, .cpu = cpu, .va = v };
	return n;
}

/* --- the three ways to decide --- */

static u64 priority(const struct event *o)
{
	switch (o->kind) {
	case GO_ON:
		return model.cpu[model.current].priority;
	case INTERRUPT:
	case SWITCH:
		return model.cpu[o->cpu].priority;
	case DRAIN:
		return pct_buffer[o->cpu];
	case COMPLETE:
		return pct_broadcast[o->cpu];
	default:
		break; /* not by priority */
	}
	return 0;
}

static void lower(const struct event *o)
{
	u64 *p = o->kind == DRAIN ? &pct_buffer[o->cpu] : o->kind == COMPLETE ? &pct_broadcast[o->cpu] :
		 o->kind == GO_ON ? &model.cpu[model.current].priority : &model.cpu[o->cpu].priority;

	*p = --pct_low;
}

/*
 * Whoever always wins may be waiting for others in a loop (letting them run for moments, to answer its interrupts), and what
 * it waits for may be in a buffer of low priority: stores reach memory in the end, on every machine.
 */
static void be_fair(void)
{
	unsigned cpu, first = 0;

	pct_since = outcome.choices;
	/* Not the current one: that may be another, let in to answer an interrupt of the first. */
	for (cpu = 1; cpu < model.nr_cpus; cpu++)
		if (model.cpu[cpu].priority > model.cpu[first].priority)
			first = cpu;
	model.cpu[first].priority = --pct_low;
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (memory_pending(cpu))
			pct_buffer[cpu] = ~0ull;
}

static unsigned pick_pct(const struct event *list, unsigned n, bool can_go_on)
{
	unsigned i, best;

	for (;;) {
		best = can_go_on ? 0 : 1;
		for (i = best + 1; i < n; i++)
			if (priority(&list[i]) > priority(&list[best]) ||
			    (list[i].kind == INTERRUPT && priority(&list[i]) == priority(&list[best])))
				best = i;
		for (i = 0; i + 1 < sched.depth && pct_change[i] != outcome.choices; i++)
			;
		if (i + 1 >= sched.depth)
			break;
		pct_change[i] = 0;
		lower(&list[best]);
	}
	if (outcome.choices - pct_since > PATIENCE)
		be_fair();
	return best;
}

/* Spread over the whole run, so that they are not used up before anything has happened. */
static bool draw_fill(void)
{
	return model.fill_budget && (random_step(&random_state) >> 32) * sched.length >> 32 < 2 * model.fill_budget;
}

/* Nothing is decided for "go on" in a random run or a replay without looking at the options: that is the common case. */
static bool go_on_at_once(bool can_go_on)
{
	if (!can_go_on)
		return false;
	if (sched.mode == SCHED_RANDOM)
		return !fill_due && random_step(&random_state) >> (64 - calm) != 0;
	if (sched.mode == SCHED_REPLAY)
		return replayed >= sched.nr || sched.list[replayed].at != outcome.choices;
	return false;
}

void choose_guide(const struct guide *list, unsigned nr)
{
	guide = list;
	nr_guide = nr;
}

/* The next one on the list; a wait that is over has ended by itself. What is not possible here leaves the path: go on then. */
static unsigned pick_guided(const struct event *list, unsigned n, bool can_go_on)
{
	const struct guide *g;
	unsigned i;

	while (guided < nr_guide && guide[guided].woke && guide[guided].what.cpu == model.current)
		guided++;
	if (guided == nr_guide)
		return can_go_on ? 0 : 1;
	g = &guide[guided++];
	if (g->what.kind == GO_ON && g->what.cpu == model.current && can_go_on)
		return 0;
	for (i = 1; i < n; i++)
		if (list[i].kind == (g->what.kind == GO_ON || g->woke ? SWITCH : g->what.kind) && list[i].cpu == g->what.cpu &&
		    list[i].va == g->what.va)
			return i;
	guided = nr_guide;
	return can_go_on ? 0 : 1;
}

static void note(unsigned option)
{
	outcome.signature = (outcome.signature ^ (outcome.choices << 8 | option)) * 0x100000001b3ull;
	if (sched.mode != SCHED_REPLAY && sched.nr < MAX_DECISIONS)
		sched.list[sched.nr++] = (struct decision){ outcome.choices, option };
}

/* An option among list[0..n); without can_go_on never 0 (usable > 1 then). */
static unsigned pick(const struct event *list, unsigned n, unsigned usable, bool can_go_on)
{
	unsigned option = 0;

	if (fill_due && usable < n) {
		option = usable + random_step(&random_state) % (n - usable);
		note(option);
		return option;
	}
	if (n == 1 && sched.mode != SCHED_GUIDED)
		return 0;
	switch (sched.mode) {
	case SCHED_RANDOM:
		option = can_go_on ? random_step(&random_state) % usable : 1 + random_step(&random_state) % (usable - 1);
		break;
	case SCHED_PCT:
		option = pick_pct(list, usable, can_go_on);
		break;
	case SCHED_GUIDED:
		option = pick_guided(list, n, can_go_on);
		break;
	case SCHED_EXHAUSTIVE: /* never gets here */
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

void choose_begin(unsigned cpus)
{
	unsigned cpu, i;

	random_state = sched.seed * 2 + 1;
	calm = 2 + random_step(&random_state) % 4;
	replayed = guided = 0;
	if (sched.mode != SCHED_REPLAY)
		sched.nr = 0;
	pct_low = 1ull << 32;
	pct_since = 0;
	for (i = 0; i < MAX_DEPTH; i++)
		pct_change[i] = 1 + random_step(&random_state) % sched.length;
	for (cpu = 0; cpu < cpus; cpu++) {
		model.cpu[cpu].priority = random_step(&random_state) >> 8 | 1ull << 40;
		pct_broadcast[cpu] = random_step(&random_state) >> 8 | 1ull << 40;
		pct_buffer[cpu] = random_step(&random_state) >> 8 | 1ull << 40;
	}
}

bool choose(bool can_go_on, struct event *chosen)
{
	struct event list[MAX_SHOWN];
	unsigned n, usable;

	outcome.choices++;
	fill_due = (sched.mode == SCHED_RANDOM || sched.mode == SCHED_PCT) && draw_fill();
	if (go_on_at_once(can_go_on)) {
		*chosen = (struct event){ .kind = GO_ON };
		return true;
	}
	n = list_options(list, can_go_on, &usable);
	if (!can_go_on && usable == 1) /* a fill lets nobody go on */
		return false;
	*chosen = list[pick(list, n, usable, can_go_on)];
	return true;
}

/* A freedom inside a primitive. No step, so nobody else runs. */
unsigned model_choose(unsigned n)
{
	unsigned option = 0;

	if (!sched_on)
		return 0;
	outcome.choices++;
	if (sched.mode == SCHED_EXHAUSTIVE)
		return exhaust_choose(n);
	if (sched.mode == SCHED_GUIDED && guided < nr_guide)
		option = guide[guided++].what.va % n;
	else if (sched.mode != SCHED_REPLAY)
		option = random_step(&random_state) % n;
	else if (replayed < sched.nr && sched.list[replayed].at == outcome.choices)
		option = sched.list[replayed++].option % n;
	if (option)
		note(option);
	return option;
}
