/* SPDX-License-Identifier: BSD-2-Clause */
/* The others switch to an mm that they have never run, at the same time, and touch its page, which CPU 0 then zaps. */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
}

static void run(unsigned cpu)
{
	if (!cpu) {
		wait_until(&scene.flag[0], WAIT_NE, 0, "somebody in the mm");
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		store_release(&scene.flag[1], 1);
		return;
	}
	switch_mm(scene.a);
	va_load(SCENE_VA);
	add_full(&scene.flag[0], 1);
	va_load(SCENE_VA);
	wait_until(&scene.flag[1], WAIT_NE, 0, "the zap");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(two_enter, .help = "CPUs enter an mm at the same time, and one zaps its page", .min_cpus = 3, .set_up = set_up,
	 .run = run);
