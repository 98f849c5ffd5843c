/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 is the only one that has run the mm, and zaps its page; CPU 1 enters the mm at that moment and touches the page once. Who
 * flushes without a broadcast has to see it come, or it has to see the page gone. As small as it can be, to be closed.
 */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	switch_mm(scene.a);
	va_load(SCENE_VA);
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

SCENARIO(small_alone, .help = "a CPU zaps a page of an mm that another one enters for the first time", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true /* too rarely to be wanted of some schedules */);
