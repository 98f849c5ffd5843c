/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps more pages than one broadcast reaches, then unmaps all with its tables, in an mm that has a global ASID where there
 * are some; the others touch the first, the last and one in between.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 19 /* of 8, 8 and 3 */

static struct va touched(unsigned i)
{
	static const unsigned at[] = { 0, 8, PAGES - 1 };

	return va_add(SCENE_VA, at[i % 3] * PAGE_SIZE);
}

static void set_up(void)
{
	unsigned cpu, i;

	scene.a = scene_mm(SCENE_VA, PAGES + 1, RW);
	for (i = 0; i < 3; i++)
		scene_watch(touched(i));
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.a);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		for (i = 0; i < 3; i++)
			va_load(touched(i));
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGES * PAGE_SIZE);
		store_release(&scene.flag[0], 1);
		mm_unmap(scene.a, SCENE_VA, (PAGES + 1) * PAGE_SIZE);
		return;
	}
	for (i = 0; i < 3; i++)
		va_load(touched(i));
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
	for (i = 0; i < 6; i++)
		scene_expect(va_load(touched(i)).fault, "reaches a page that is gone");
}

SCENARIO(asid_range, .help = "more pages go than one broadcast reaches, then their tables", .min_cpus = 2, .set_up = set_up,
	 .run = run);
