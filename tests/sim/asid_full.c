/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 is the only one that is not under the global ASID of its mm, where there are some; it zaps a page, and then more than the
 * ceiling allows. The others have some of those.
 */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 40

static struct va page(u64 i)
{
	return va_add(SCENE_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	scene.a = scene_mm(SCENE_VA, PAGES + 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b);
	switch_mm(scene.a);
	va_load(page(PAGES));
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.a);
}

static void run(unsigned cpu)
{
	if (cpu) {
		switch_mm(scene.a);
		va_load(page(3));
		store_release(&scene.flag[1], 1);
		wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
		scene_expect(va_load(page(3)).fault, "reaches a page that is gone");
		return;
	}
	wait_until(&scene.flag[1], WAIT_NE, 0, "the other");
	mm_zap(scene.a, page(PAGES), PAGE_SIZE);
	scene_expect(va_load(page(PAGES)).fault, "reaches its own page that is gone");
	mm_zap(scene.a, SCENE_VA, PAGES * PAGE_SIZE);
	store_release(&scene.flag[0], 1);
}

SCENARIO(asid_full, .help = "the flusher itself has to move, and then flushes everything of the mm", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
