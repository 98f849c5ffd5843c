/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 unmaps the only page of a table, so that the tables are freed, and reuses their frames; CPU 1 is lazy meanwhile, its walker
 * may go on, and it comes back and touches the page once. As small as it can be, to be closed.
 */
#include "arch/frame.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	/* Not mapped, in the same tables: nothing is cached of it but the way there. */
	scene_watch(va_add(SCENE_VA, PAGE_SIZE));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		if (cpu)
			switch_lazy();
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (!cpu) {
		mm_unmap(scene.a, SCENE_VA, PAGE_SIZE);
		for (i = 0; i < 4; i++)
			frame_fill(frame_alloc(FRAME_DATA), PAGE_SIZE, 0x5a5a5a5a5a5a5a5b);
		return;
	}
	switch_mm(scene.a);
	va_load(SCENE_VA);
}

SCENARIO(small_lazy, .help = "tables are freed under a lazy CPU, which comes back", .min_cpus = 2, .set_up = set_up, .run = run);
