/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 puts a page of 2 MiB where small ones were (as khugepaged does): unmap, which frees their table, then map. The others touch
 * what was mapped, and what was not, before and after.
 */
#include "arch/frame.h"
#include "check.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 3 /* so many of 512 are there at first */
#define CONTENTS 0x77 /* in each word of the large page */

static struct va page(u64 i)
{
	return va_add(SCENE_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	unsigned cpu, i;

	scene.a = scene_mm(SCENE_VA, PAGES, RW);
	scene.frame = frame_alloc_large();
	CHECK(!pa_is_none(scene.frame));
	frame_fill(scene.frame, LARGE_SIZE, CONTENTS);
	for (i = 0; i <= PAGES; i++)
		scene_watch(page(i));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		for (i = 0; i < PAGES; i++)
			va_load(page(i));
	}
}

static void run(unsigned cpu)
{
	struct access a;
	u64 i;

	if (!cpu) {
		mm_unmap(scene.a, SCENE_VA, LARGE_SIZE);
		CHECK(mm_map_frame(scene.a, SCENE_VA, scene.frame, 1, RW));
		store_release(&scene.flag[0], 1);
		return;
	}
	for (i = 0; i <= PAGES; i++)
		va_load(page(i));
	wait_until(&scene.flag[0], WAIT_NE, 0, "the large page");
	for (i = 0; i <= PAGES; i++) {
		a = va_load(page(PAGES - i));
		scene_expect(!a.fault && a.value == CONTENTS, "does not reach the large page");
	}
}

SCENARIO(collapse, .help = "one CPU puts a large page where small ones were, the others touch it", .min_cpus = 2, .set_up = set_up,
	 .run = run);
