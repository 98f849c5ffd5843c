/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --events: one run as lines "event STEP CPU A B NAME", for whoever draws it (tools/timeline.py): what the model and the oracles
 * tell model_saw(), primitives among it by their own names. One of them is given another: a store that acknowledges a call. No
 * state but where the run under way is printed.
 */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "sim/run.h"
#include "sim/sched.h"

static void print_event(unsigned cpu, const char *name, u64 a, u64 b)
{
	printf("event %llu %u %llx %llx %s\n", (llu)model.step, cpu, (llu)a, (llu)b, name);
}

/* Whose node for this CPU is it that the store gives back? nr_cpus: nobody's. */
static unsigned acknowledged(u64 at, u64 value)
{
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (!value && at == (u64)&machine.cpu[cpu].smp.call_nodes[model.current].busy)
			break;
	return cpu;
}

static void saw(unsigned cpu, const char *name, u64 a, u64 b)
{
	bool store = !strncmp(name, "store", 5);

	if (store && acknowledged(a, b) < model.nr_cpus)
		print_event(cpu, "ack", acknowledged(a, b), 0);
	else
		print_event(cpu, name, a, b);
}

void events_begin(const char *scenario, const char *strategy)
{
	printf("events of %s under %s, %u CPUs\n", scenario, strategy, model.nr_cpus);
	model_watch = saw;
}

void events_end(void)
{
	char name[80];

	model_watch = NULL;
	if (!outcome.oracle)
		return;
	snprintf(name, sizeof(name), "violation %s", outcome.oracle);
	print_event(model.current, name, 0, 0);
}
