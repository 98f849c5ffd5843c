/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 takes write access to a page away, while the others store to it; once that has returned, the page does not change any
 * more.
 */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	struct access before, after;
	unsigned i;

	if (!cpu) {
		mm_protect(scene.a, SCENE_VA, PAGE_SIZE, PROT_READ | PROT_USER);
		before = va_load(SCENE_VA);
		after = va_load(SCENE_VA);
		scene_expect(!before.fault && !after.fault, "can't read what it may read");
		scene_expect(before.value == after.value, "sees a page change that nobody may write");
		return;
	}
	for (i = 0; i < 3; i++)
		va_store(SCENE_VA, cpu * 16 + i);
}

SCENARIO(protect_write, .help = "one CPU takes write access away, the others store", .min_cpus = 2, .set_up = set_up, .run = run);
