/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU 0 exchanges the frame of a page twice; the others touch the page all the time, and once told of it see the new one. */
#include "arch/frame.h"
#include "check.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define EXCHANGES 2
#define OF_FRAME(i) (20 + (i)) /* in each word; the first one has scene_mm()'s */

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
	}
}

static void exchange(unsigned i)
{
	struct pa pa = frame_alloc(FRAME_DATA);

	CHECK(!pa_is_none(pa));
	frame_fill(pa, PAGE_SIZE, OF_FRAME(i));
	mm_remap(scene.a, SCENE_VA, pa, RW);
	store_release(&scene.flag[0], i);
}

static void run(unsigned cpu)
{
	struct access a;
	unsigned i;
	u64 at_least;

	for (i = 1; i <= EXCHANGES && !cpu; i++)
		exchange(i);
	for (i = 0; i < 5 && cpu; i++) {
		at_least = load_acquire(&scene.flag[0]);
		a = va_load(SCENE_VA);
		scene_expect(!a.fault, "can't reach a page that was always there");
		scene_expect(!at_least || a.value >= OF_FRAME(at_least), "sees a frame that was exchanged");
	}
}

SCENARIO(exchange, .help = "one CPU exchanges the frame of a page that the others touch", .min_cpus = 2, .set_up = set_up,
	 .run = run);
