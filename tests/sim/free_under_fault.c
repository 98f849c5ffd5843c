/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU 0 unmaps the only page of a table, in an mm that has a global ASID where there are some; the others fault beside it. */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.a);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (!cpu) {
		mm_unmap(scene.a, SCENE_VA, PAGE_SIZE);
		return;
	}
	va_load(SCENE_VA);
	for (i = 0; i < 3; i++)
		scene_expect(va_load(va_add(SCENE_VA, PAGE_SIZE)).fault, "reads what was never there");
}

SCENARIO(free_under_fault, .help = "one CPU frees tables in which the others' faults look", .min_cpus = 2, .set_up = set_up,
	 .run = run);
