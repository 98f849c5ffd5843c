/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The others switch from b to a and touch a's page, while CPU 0 gives a a global ASID, where there are some, goes under it, and
 * zaps the page.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b); /* the first one rolls over, which would flush a too */
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		if (cpu)
			switch_mm(scene.b);
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
		store_release(&scene.flag[0], 1);
		return;
	}
	switch_mm(scene.a);
	va_load(SCENE_VA);
	va_load(SCENE_VA);
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(asid_switch, .help = "an mm gets a global ASID and is flushed, while others switch to it", .min_cpus = 2, .set_up = set_up,
	 .run = run);
