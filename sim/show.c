/* SPDX-License-Identifier: BSD-2-Clause */
/* The last steps of a schedule, a column for each CPU, in the order in which they happened. No state of its own. */
#include <stdio.h>

#include "sim/sched.h"

#define COLUMNS 4 /* CPUs shown */
#define WIDTH 36

/* The next step of `cpu` to be shown; NULL: no more. `shown`: how many were. */
static const struct step_log *next(unsigned cpu, unsigned shown)
{
	const struct model_cpu *c = &model.cpu[cpu];
	unsigned n = c->nr_last < LAST_STEPS ? c->nr_last : LAST_STEPS;

	return shown < n ? &c->last[(c->nr_last - n + shown) % LAST_STEPS] : NULL;
}

void show_steps(void)
{
	unsigned cpus = model.nr_cpus < COLUMNS ? model.nr_cpus : COLUMNS, shown[COLUMNS] = { 0 }, cpu, first;
	const struct step_log *log, *best;

	printf("%8s", "step");
	for (cpu = 0; cpu < cpus; cpu++)
		printf("  CPU %-*u", WIDTH - 4, cpu);
	printf("\n");
	for (;;) {
		best = NULL;
		first = 0;
		for (cpu = 0; cpu < cpus; cpu++) {
			log = next(cpu, shown[cpu]);
			if (log && (!best || log->number < best->number)) {
				best = log;
				first = cpu;
			}
		}
		if (!best)
			return;
		shown[first]++;
		printf("%8llu  %*s%s %llx %llx\n", (unsigned long long)best->number, (int)(first * (WIDTH + 2)), "", best->what,
		       (unsigned long long)best->a, (unsigned long long)best->b);
	}
}
