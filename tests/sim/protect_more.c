/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 gives write access to a page that the others may hold read-only, which needs no flush: what they hold may fault, and the
 * fault is found spurious.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, PROT_READ | PROT_USER);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_protect(scene.a, SCENE_VA, PAGE_SIZE, PROT_READ | PROT_WRITE | PROT_USER);
		store_release(&scene.flag[0], 1);
		return;
	}
	va_load(SCENE_VA);
	wait_until(&scene.flag[0], WAIT_NE, 0, "write access");
	scene_expect(!va_store(va_add(SCENE_VA, 8 * cpu), cpu).fault, "can't store where it may");
}

SCENARIO(protect_more, .help = "one CPU gives write access, the others hold the page read-only", .min_cpus = 2, .set_up = set_up,
	 .run = run);
