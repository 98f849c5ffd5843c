/* SPDX-License-Identifier: BSD-2-Clause */
/* What can happen at a state, and what of it has to be tried there: why the rest need not is said in exhaust.c. No state. */
#include <string.h>

#include "sim/exhaust.h"
#include "sim/exhaust_node.h"
#include "sim/reduce.h"
#include "sim/sched.h"

bool node_bounded(void)
{
	return search.preemptions >= 0;
}

static bool word_wait_over(const struct model_cpu *c)
{
	return c->state == CPU_BLOCKED && c->wait_word &&
	       (*c->wait_word != c->wait_seen || (c->arrivals != c->wait_arrivals && !(c->irq_on && c->pending)));
}

void node_add(struct node *n, enum kind kind, unsigned cpu, unsigned va)
{
	if (n->nr_all == MAX_OPTIONS)
		search_give_up("too much can happen next");
	n->options[n->nr_all++] = (struct event){ .kind = kind, .cpu = cpu, .va = va };
}

static void add_cpu(struct node *n, unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];
	bool over = word_wait_over(c);

	if (!may_run(cpu))
		return;
	/* That a wait is over is no step of the CPU's. */
	if (!over && node_bounded() && n->last_can && cpu != n->last && !n->preemptions) {
		search.bounded = true;
		return;
	}
	if (c->state == CPU_RUNS || over)
		node_add(n, GO_ON, cpu, 0);
	if (c->irq_on && c->pending && !over)
		node_add(n, INTERRUPT, cpu, 0);
}

void node_list(struct node *n)
{
	unsigned cpu, i;

	if (n->last != NOBODY)
		add_cpu(n, n->last);
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (cpu != n->last)
			add_cpu(n, cpu);
	n->nr_steps = n->nr_all;
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (model.cpu[cpu].isa.nr_stores)
			node_add(n, DRAIN, cpu, 0);
	for (i = 0; i < model.nr_outstanding; i++)
		node_add(n, COMPLETE, model.outstanding[i].target, i);
	for (cpu = 0; cpu < model.nr_cpus && model.fill_budget; cpu++)
		for (i = 0; i < model.nr_va; i++)
			node_add(n, FILL, cpu, i);
}

static void put_first(struct node *n, unsigned i)
{
	struct event o = n->options[i];

	memmove(n->options + 1, n->options, i * sizeof(o));
	n->options[0] = o;
}

bool node_find_local(struct node *n)
{
	unsigned i;

	for (i = 0; i < n->nr_all; i++) {
		const struct event *o = &n->options[i];

		if (o->kind == GO_ON && (model.cpu[o->cpu].state == CPU_BLOCKED || !node_bounded() || o->cpu == n->last) &&
		    reduce_step_local(o->cpu)) {
			put_first(n, i);
			return true;
		}
		if (o->kind == DRAIN && reduce_drain_local(o->cpu)) {
			/* Behind the steps; it becomes one of them. */
			put_first(n, i);
			n->nr_steps++;
			return true;
		}
	}
	return false;
}

void node_find_effects(struct node *n)
{
	unsigned cpu, i;
	bool writes = false;

	for (i = 0; i < n->nr_steps; i++) {
		const struct event *o = &n->options[i];
		struct class class;

		if (o->kind > INTERRUPT)
			continue;
		class = reduce_about(o->cpu, o->kind == INTERRUPT);
		n->tlbs |= class.tlb ? 1u << o->cpu : 0;
		n->world |= class.world;
		writes |= class.drains || class.anything;
	}
	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		if (!model.cpu[cpu].isa.nr_stores)
			continue;
		n->buffers |= 1u << cpu;
		n->drains_walked |= reduce_drain_walked(cpu) ? 1u << cpu : 0;
		if (reduce_drain_enables(cpu))
			n->drains |= 1u << cpu;
		for (i = 0; i < n->nr_steps; i++)
			if (n->options[i].kind <= INTERRUPT && n->options[i].cpu != cpu &&
			    reduce_drain_conflicts(cpu, n->options[i].cpu, n->options[i].kind == INTERRUPT))
				n->drains |= 1u << cpu;
	}
	/* A load that is late lies before or after every write, so that all of them have an order (reduce.c). */
	writes |= n->drains;
	n->drains |= LATE_LOADS && writes ? n->buffers : 0;
	n->broadcasts = model.nr_outstanding;
}

void node_add_noticed(struct node *n)
{
	bool world = n->world || (n->drains & n->drains_walked);
	u32 tlbs = n->tlbs, drains = n->drains;
	unsigned i, kept = n->nr_steps;

	for (i = n->nr_steps; i < n->nr_all && !world; i++)
		world = n->options[i].kind == FILL && (tlbs >> n->options[i].cpu & 1) && n->drains_walked;
	if (world)
		drains |= n->drains_walked;
	for (i = n->nr_steps; i < n->nr_all; i++) {
		const struct event *o = &n->options[i];

		if (o->kind == DRAIN ? drains >> o->cpu & 1 : world || tlbs >> o->cpu & 1)
			n->options[kept++] = *o;
	}
	n->n = n->nr_all = (u16)kept;
}

/* Agents, as bits: 0.. CPUs; 16.. their interrupts; 32.. their buffers; 63 broadcasts. */
u64 node_could(const struct node *n)
{
	u64 all = (u64)n->buffers << 32 | (u64)n->broadcasts << 63;
	unsigned i;

	for (i = 0; i < n->nr_steps; i++)
		if (n->options[i].kind <= INTERRUPT)
			all |= 1ull << (n->options[i].cpu + (n->options[i].kind == INTERRUPT ? 16 : 0));
	return all;
}

u64 event_agent(const struct event *o)
{
	switch (o->kind) {
	case GO_ON:
		return 1ull << o->cpu;
	case INTERRUPT:
		return 1ull << (o->cpu + 16);
	case DRAIN:
		return 1ull << (o->cpu + 32);
	case COMPLETE:
		return 1ull << 63;
	default:
		return 0;
	}
}
