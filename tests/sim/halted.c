/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUs halt until a word changes; CPU 0 changes it and wakes them. One that is not woken never ends. */
#include "sim/scenario.h"
#include "smp/wait.h"

static void set_up(void)
{
}

static void run(unsigned cpu)
{
	if (cpu) {
		wait_idle(&scene.flag[0], WAIT_NE, 0, "a word to change", true);
		return;
	}
	store_release(&scene.flag[0], 1);
	for (cpu = 1; cpu < scene.cpus; cpu++)
		cpu_wake(cpu);
}

SCENARIO(halted, .help = "CPUs halt until a word changes", .min_cpus = 2, .set_up = set_up, .run = run, .no_stale = true);
