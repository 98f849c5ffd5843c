/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 unmaps the only page of a table, so that the tables are freed, and reuses their frames. The others have touched the
 * page and went lazy: CPU 1 until that is over, its walker may go on; the rest come back meanwhile.
 */
#include "arch/frame.h"
#include "sim/scenario.h"
#include "smp/wait.h"

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

static void unmap_and_reuse(void)
{
	struct pa pa;
	unsigned i;

	mm_unmap(scene.a, SCENE_VA, PAGE_SIZE);
	for (i = 0; i < 4; i++) {
		pa = frame_alloc(FRAME_DATA);
		frame_fill(pa, PAGE_SIZE, 0x5a5a5a5a5a5a5a5b);
	}
	store_release(&scene.flag[0], 1);
}

static void run(unsigned cpu)
{
	struct access a;

	if (!cpu) {
		unmap_and_reuse();
		return;
	}
	if (cpu == 1)
		wait_until(&scene.flag[0], WAIT_NE, 0, "the reuse");
	switch_mm(scene.a);
	a = va_load(SCENE_VA);
	scene_expect(a.fault || a.value == 1, "reads what was never there");
	wait_until(&scene.flag[0], WAIT_NE, 0, "the reuse");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(lazy_tables, .help = "tables are freed under lazy CPUs, which come back", .min_cpus = 3, .set_up = set_up, .run = run);
