/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The others switch to a and touch its second page, while CPU 0 gives a a global ASID, where there are some, goes under it, and
 * zaps the first page, which may end the move, and then the second.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static struct va second(void)
{
	return va_add(SCENE_VA, PAGE_SIZE);
}

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 2, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(cpu ? scene.b : scene.a);
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		if (strategy_now()->transport->broadcasts)
			asid_promote(scene.a);
		switch_mm(scene.b);
		switch_mm(scene.a);
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		mm_zap(scene.a, second(), PAGE_SIZE);
		store_release(&scene.flag[0], 1);
		return;
	}
	switch_mm(scene.a);
	va_load(second());
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zaps");
	scene_expect(va_load(second()).fault, "reaches a page that is gone");
}

SCENARIO(asid_published, .help = "an mm gets a global ASID and is flushed twice, while others switch to it", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
