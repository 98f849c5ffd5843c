/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An mm moves from CPU 0, which holds its page, to CPU 1, which zaps the page there, and comes back to CPU 0, which touches it. Who
 * flushes without a broadcast has to know that CPU 0 has not forgotten. As small as it can be, to be closed.
 */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	switch_mm(scene.a);
	va_load(SCENE_VA); /* with tags this stays */
}

static void run(unsigned cpu)
{
	if (cpu == 1) {
		switch_mm(scene.a);
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		return;
	}
	switch_mm(scene.b);
	switch_mm(scene.a);
	va_load(SCENE_VA);
}

SCENARIO(small_migration, .help = "an mm moves to another CPU, which zaps its page, and comes back", .min_cpus = 2,
	 .set_up = set_up, .run = run);
