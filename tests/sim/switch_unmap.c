/* SPDX-License-Identifier: BSD-2-Clause */
/* The others switch from b to a and touch a's page, while CPU 0 zaps it, and once more when that has returned. */
#include "sim/scenario.h"
#include "smp/wait.h"

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
		store_release(&scene.flag[0], 1);
		return;
	}
	switch_mm(scene.a);
	va_load(SCENE_VA);
	va_load(SCENE_VA);
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(switch_unmap, .help = "one CPU zaps a page, the others switch to the mm and touch it", .min_cpus = 2,
	 .set_up = set_up, .run = run);
