/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps a page into which the others store for the first time: whoever takes the entry away has to see their D bits, for by
 * them the page would be written back. A store after the zap reaches a new page of the region.
 */
#include "check.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	CHECK(!mm_add_region(scene.a, SCENE_VA, PAGE_SIZE, RW));
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		return;
	}
	scene_expect(!va_store(va_add(SCENE_VA, 8 * cpu), 77).fault, "can't store in its region");
	scene_expect(!va_store(va_add(SCENE_VA, 8 * cpu), 78).fault, "can't store in its region");
}

SCENARIO(zap_dirty, .help = "one CPU zaps a page into which the others store for the first time", .min_cpus = 2, .set_up = set_up,
	 .run = run);
