/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 puts small pages where one of 2 MiB was: unmap, then map. The others touch both halves of it, before and after. (x86 may
 * have the large page cached in pieces of 4 KiB.)
 */
#include "arch/frame.h"
#include "check.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define CONTENTS 0x77 /* in each word of the large page; in small ones 0 */

static struct va page(u64 i)
{
	return va_add(SCENE_VA, i * (LARGE_SIZE / 2));
}

static void set_up(void)
{
	unsigned cpu, i;

	scene.a = mm_create();
	CHECK(scene.a && mm_populate(scene.a, VA(0), 1, 0, RW)); /* it keeps the tables */
	scene.frame = frame_alloc_large();
	CHECK(!pa_is_none(scene.frame));
	frame_fill(scene.frame, LARGE_SIZE, CONTENTS);
	CHECK(mm_map_frame(scene.a, SCENE_VA, scene.frame, 1, RW));
	for (i = 0; i < 2; i++)
		scene_watch(page(i));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	struct access a;
	u64 i;

	if (!cpu) {
		mm_unmap(scene.a, SCENE_VA, LARGE_SIZE);
		for (i = 0; i < 2; i++)
			CHECK(mm_populate(scene.a, page(i), 1, 0, RW));
		store_release(&scene.flag[0], 1);
		return;
	}
	for (i = 0; i < 2; i++)
		va_load(page(i));
	wait_until(&scene.flag[0], WAIT_NE, 0, "the small pages");
	for (i = 0; i < 2; i++) {
		a = va_load(page(i));
		scene_expect(!a.fault && !a.value, "does not reach the small page");
	}
}

SCENARIO(split, .help = "one CPU puts small pages where a large one was, the others touch it", .min_cpus = 2, .set_up = set_up,
	 .run = run);
