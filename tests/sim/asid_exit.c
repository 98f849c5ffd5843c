/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 ends an mm that has a global ASID, where there are some, and that the others are lazy on; its frames are another mm's then.
 */
#include "arch/frame.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.a);
	scene_watch(SCENE_VA);
	for (cpu = 1; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		switch_lazy();
	}
	scene_be(0);
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_destroy(scene.a);
		scene.b = scene_mm(SCENE_VA, 1, RW);
		store_release(&scene.flag[0], 1);
		return;
	}
	wait_until(&scene.flag[0], WAIT_NE, 0, "the end");
}

SCENARIO(asid_exit, .help = "an mm with a global ASID ends under lazy CPUs", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
