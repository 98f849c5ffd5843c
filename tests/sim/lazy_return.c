/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps a page; the others, which have touched it and went lazy, come back to the mm at the same time and touch it
 * again, and once more when the zap has returned.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		if (cpu)
			switch_lazy();
	}
}

static void run(unsigned cpu)
{
	struct access a;

	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		store_release(&scene.flag[0], 1);
		return;
	}
	switch_mm(scene.a);
	a = va_load(SCENE_VA);
	scene_expect(a.fault || a.value == 1, "reads what was never there");
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(lazy_return, .help = "one CPU zaps a page, lazy CPUs come back and touch it", .min_cpus = 2, .set_up = set_up, .run = run);
