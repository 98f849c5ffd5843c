/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs 0 and 1 zap a page each at the same time, while the others touch both: their requests may be served in either order
 * (cross calls are taken newest first), and the one that is served first must not stand for both. When both zaps have returned,
 * both pages are gone.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

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
		add_full(&scene.flag[0], 1);
		return;
	}
	for (i = 0; i < 2; i++) {
		struct access a = va_load(va_add(SCENE_VA, i * PAGE_SIZE));

		scene_expect(a.fault || a.value == i + 1, "reads what was never there");
	}
	wait_until(&scene.flag[0], WAIT_EQ, 2, "both zaps");
	for (i = 0; i < 2; i++)
		scene_expect(va_load(va_add(SCENE_VA, i * PAGE_SIZE)).fault, "reaches a page that is gone");
}

SCENARIO(two_flushers, .help = "two CPUs zap a page each, the others touch both", .min_cpus = 3, .set_up = set_up, .run = run);
