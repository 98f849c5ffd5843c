/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 reclaims a page of an mm that has just got a global ASID, where there are some: the others run it under their slots' tags.
 */
#include "mm/batch.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		if (strategy_now()->transport->broadcasts)
			asid_promote(scene.a);
		mm_pageout(scene.a, SCENE_VA, PAGE_SIZE);
		batch_flush();
		store_release(&scene.flag[0], 1);
		return;
	}
	va_load(SCENE_VA);
	wait_until(&scene.flag[0], WAIT_NE, 0, "the batch");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(asid_batch_move, .help = "a page of an mm that is moving to a global ASID waits in a batch", .min_cpus = 2,
	 .set_up = set_up, .run = run);
