/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 gives the mm a global ASID, where there are some, which moves whoever runs it, and CPU 1 runs it, then zaps the page; CPU 1
 * touches the page, leaves and comes back, and touches it again. As small as it can be, to be closed.
 */
#include "sim/scenario.h"

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
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		if (strategy_now()->transport->broadcasts)
			asid_promote(scene.a);
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		return;
	}
	va_load(SCENE_VA);
	switch_mm(scene.b);
	switch_mm(scene.a);
	va_load(SCENE_VA);
}

SCENARIO(small_promotion, .help = "an mm gets a global ASID and is flushed, another CPU leaves it and comes back", .min_cpus = 2,
	 .set_up = set_up, .run = run);
