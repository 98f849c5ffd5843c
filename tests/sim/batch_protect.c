/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 reclaims a page, maps another one there read-only before its batch is flushed, and protects it read-only; CPU 1, which
 * could write to the old page, must not be able to any more.
 */
#include "mm/batch.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define RO (PROT_READ | PROT_USER)

enum { PROTECTED, LOOKED }; /* scene.flag[] */

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_store(SCENE_VA, 7);
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_pageout(scene.a, SCENE_VA, PAGE_SIZE);
		mm_populate(scene.a, SCENE_VA, 1, 0, RO);
		mm_protect(scene.a, SCENE_VA, PAGE_SIZE, RO);
		store_release(&scene.flag[PROTECTED], 1);
		wait_until(&scene.flag[LOOKED], WAIT_EQ, scene.cpus - 1, "the others to look");
		batch_flush();
	} else {
		wait_until(&scene.flag[PROTECTED], WAIT_EQ, 1, "the protect");
		scene_expect(va_store(SCENE_VA, 9).fault, "writes after mprotect() returned");
		add_full(&scene.flag[LOOKED], 1);
	}
}

SCENARIO(batch_protect, .help = "a page is reclaimed, mapped again and protected before its batch is flushed", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
