/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps two pages, one after the other, that the others touch: the second request uses the same memory as the first. When that
 * has returned, both pages are gone.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 2, RW);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	for (i = 0; i < 4; i++) {
		struct va va = va_add(SCENE_VA, i % 2 * PAGE_SIZE);
		struct access a;

		if (!cpu && i < 2) {
			mm_zap(scene.a, va, PAGE_SIZE);
		} else if (cpu) {
			a = va_load(va);
			scene_expect(a.fault || a.value == i % 2 + 1, "reads what was never there");
		}
	}
	if (!cpu)
		store_release(&scene.flag[0], 1);
	wait_until(&scene.flag[0], WAIT_NE, 0, "both zaps");
	for (i = 0; i < 2; i++)
		scene_expect(va_load(va_add(SCENE_VA, i * PAGE_SIZE)).fault, "reaches a page that is gone");
}

SCENARIO(zaps_in_a_row, .help = "one CPU zaps two pages in a row, the others touch both", .min_cpus = 2,
	 .set_up = set_up, .run = run);
