/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 unmaps a region of which nothing is there yet; the others fault in it, before and after. The page beside it keeps the
 * tables from being freed.
 */
#include "check.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	CHECK(!mm_add_region(scene.a, va_add(SCENE_VA, PAGE_SIZE), PAGE_SIZE, RW));
	scene_watch(SCENE_VA);
	scene_watch(va_add(SCENE_VA, PAGE_SIZE));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	struct access a;

	if (!cpu) {
		mm_unmap(scene.a, va_add(SCENE_VA, PAGE_SIZE), PAGE_SIZE);
		store_release(&scene.flag[0], 1);
		return;
	}
	va_load(SCENE_VA);
	a = va_load(va_add(SCENE_VA, PAGE_SIZE));
	scene_expect(a.fault || !a.value, "reads what was never there");
	wait_until(&scene.flag[0], WAIT_NE, 0, "the unmap");
	scene_expect(va_load(va_add(SCENE_VA, PAGE_SIZE)).fault, "reaches a region that is gone");
}

SCENARIO(fault_unmap, .help = "one CPU unmaps a region in which the others fault", .min_cpus = 2, .set_up = set_up, .run = run);
