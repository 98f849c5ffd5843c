/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 reclaims a page of an mm that has a global ASID, where there are some, and one of an mm that has none, in one batch; the
 * others run one or the other and touch the page. Once the batch is flushed, its frames are used for something else.
 */
#include "arch/frame.h"
#include "mm/batch.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static struct mm *home(unsigned cpu)
{
	return cpu % 2 ? scene.a : scene.b;
}

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.a);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(home(cpu));
		va_load(SCENE_VA);
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (cpu) {
		for (i = 0; i < 4; i++)
			va_load(SCENE_VA);
		wait_until(&scene.flag[0], WAIT_NE, 0, "the batch");
		scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
		return;
	}
	mm_pageout(scene.a, SCENE_VA, PAGE_SIZE);
	mm_pageout(scene.b, SCENE_VA, PAGE_SIZE);
	batch_flush();
	store_release(&scene.flag[0], 1);
}

SCENARIO(asid_batch, .help = "pages of two mms, one with a global ASID, wait in one batch", .min_cpus = 3, .set_up = set_up,
	 .run = run);
