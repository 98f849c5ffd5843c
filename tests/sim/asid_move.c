/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps one page after the other, which may get the mm a global ASID; the others leave the mm and come back meanwhile, and
 * touch the page under whatever tag they have it by then.
 */
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 3

static struct va page(u64 i)
{
	return va_add(SCENE_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	unsigned cpu, i;

	scene.a = scene_mm(SCENE_VA, PAGES, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	for (i = 0; i < PAGES; i++)
		scene_watch(page(i));
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b); /* the first one rolls over, which would flush a too */
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		for (i = 0; i < PAGES; i++)
			va_load(page(i));
	}
}

/* flag[0]: so many pages are gone. */
static void run(unsigned cpu)
{
	u64 i, gone;

	for (i = 0; i < PAGES; i++) {
		if (!cpu) {
			mm_zap(scene.a, page(i), PAGE_SIZE);
			store_release(&scene.flag[0], i + 1);
			continue;
		}
		if (i == 1)
			switch_mm(scene.b);
		switch_mm(scene.a);
		gone = load_acquire(&scene.flag[0]);
		scene_expect(!gone || va_load(page(gone - 1)).fault, "reaches a page that is gone");
		va_load(page(MIN(gone, PAGES - 1ull)));
	}
}

SCENARIO(asid_move, .help = "pages go one by one, while others leave the mm and come back: under a new tag, if it gets one",
	 .min_cpus = 2, .set_up = set_up, .run = run);
