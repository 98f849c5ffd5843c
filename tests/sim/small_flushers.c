/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs 0 and 1, which do not run the mm, zap a page of it each; CPU 2 runs it, holds both and touches each once, whenever that is.
 * As small as it can be, to be closed.
 */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static struct va page(unsigned i)
{
	return va_add(SCENE_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	scene.a = scene_mm(SCENE_VA, 2, RW);
	scene_watch(page(0));
	scene_watch(page(1));
	scene_be(2);
	switch_mm(scene.a);
	va_load(page(0));
	va_load(page(1));
}

static void run(unsigned cpu)
{
	if (cpu < 2) {
		mm_zap(scene.a, page(cpu), PAGE_SIZE);
		return;
	}
	va_load(page(0));
	va_load(page(1));
}

SCENARIO(small_flushers, .help = "two CPUs zap a page each of an mm that only a third one runs", .min_cpus = 3,
	 .set_up = set_up, .run = run);
