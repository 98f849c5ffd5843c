/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU 0 unmaps the only page of a table, so that the tables are freed, and reuses their frames; CPU 1 is lazy on the mm, and comes back. */
#include "arch/frame.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		if (cpu)
			switch_lazy();
	}
}

static void run(unsigned cpu)
{
	struct pa pa[4];
	unsigned i;

	if (cpu) {
		switch_mm(scene.a);
		va_load(SCENE_VA);
		return;
	}
	mm_unmap(scene.a, SCENE_VA, PAGE_SIZE);
	for (i = 0; i < 4; i++) {
		pa[i] = frame_alloc(FRAME_DATA);
		frame_fill(pa[i], PAGE_SIZE, 0x5a5a5a5a5a5a5a5b);
	}
}

SCENARIO(lazy_tables, .help = "tables are freed under lazy CPUs, which come back", .min_cpus = 2, .set_up = set_up, .run = run);
