/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU 1 switches from b to a and touches a's page once, CPU 0 zaps it. As small as it can be, to be closed. */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	store_relaxed(&scene.a->next_trim, 0); /* filter trim: a round is due */
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA); /* with tags this stays */
		if (cpu)
			switch_mm(scene.b);
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		return;
	}
	switch_mm(scene.a);
	va_load(SCENE_VA);
}

SCENARIO(small_switch, .help = "one CPU zaps a page, another switches to the mm and touches it once", .min_cpus = 2,
	 .set_up = set_up, .run = run);
