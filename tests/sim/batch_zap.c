/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 reclaims a page and flushes its batch after a while; CPU 1 zaps the same page meanwhile and promises that it is gone; all
 * touch it. (Linux 3ea277194daa is this with mprotect().)
 */
#include "mm/batch.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 2, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (!cpu) {
		mm_pageout(scene.a, SCENE_VA, PAGE_SIZE);
		mm_pageout(scene.a, va_add(SCENE_VA, PAGE_SIZE), PAGE_SIZE);
		batch_flush();
	} else if (cpu == 1) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
	}
	for (i = 0; i < 4; i++)
		va_load(SCENE_VA);
}

SCENARIO(batch_zap, .help = "a page that waits in a batch is zapped by another CPU, and touched", .min_cpus = 3,
	 .set_up = set_up, .run = run);
