/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 frees tables of an mm that is moving to a global ASID, where there are some, under CPUs that are lazy under a slot's tag.
 */
#include "arch/frame.h"
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
	scene_watch(SCENE_VA);
	scene_watch(va_add(SCENE_VA, PAGE_SIZE));
	for (cpu = 1; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		switch_lazy();
	}
	scene_be(0);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.a);
}

static void run(unsigned cpu)
{
	struct pa pa;
	unsigned i;

	if (cpu) {
		wait_until(&scene.flag[0], WAIT_NE, 0, "the reuse");
		return;
	}
	mm_unmap(scene.a, SCENE_VA, PAGE_SIZE);
	for (i = 0; i < 4; i++) {
		pa = frame_alloc(FRAME_DATA);
		frame_fill(pa, PAGE_SIZE, 0x5a5a5a5a5a5a5a5b);
	}
	store_release(&scene.flag[0], 1);
}

SCENARIO(asid_tables, .help = "tables are freed under CPUs that are lazy under another tag than the mm's", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
