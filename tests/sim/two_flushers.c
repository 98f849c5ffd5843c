/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs 0 and 1 zap a page each at the same time, while the others touch both: their requests may be served in either order (cross calls are taken newest
 * first), and the one that is served first must not stand for both.
 */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 2, RW);
	scene_watch(SCENE_VA);
	scene_watch(va_add(SCENE_VA, PAGE_SIZE));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (cpu < 2) {
		mm_zap(scene.a, va_add(SCENE_VA, cpu * PAGE_SIZE), PAGE_SIZE);
		return;
	}
	for (i = 0; i < 4; i++) {
		struct access a = va_load(va_add(SCENE_VA, i % 2 * PAGE_SIZE));

		scene_expect(a.fault || a.value == i % 2 + 1, "reads what was never there");
	}
}

SCENARIO(two_flushers, .help = "two CPUs zap a page each, the others touch both", .min_cpus = 3, .set_up = set_up, .run = run);
