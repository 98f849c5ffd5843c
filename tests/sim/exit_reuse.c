/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 ends an mm that the others are lazy on, and makes a new one: of the same frames, so that the new struct mm is at the
 * old one's address. The others go on in the new one, and must find its page.
 */
#include "arch/frame.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define NEW_VALUE 7

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
	}
}

/* flag[0]: CPUs that are lazy; flag[1]: the new mm. */
static void exit_and_reuse(void)
{
	struct mm *mm;

	wait_until(&scene.flag[0], WAIT_EQ, scene.cpus - 1, "the others to be lazy");
	mm_destroy(scene.a);
	mm = scene_mm(SCENE_VA, 1, RW);
	frame_fill(pte_pa(mm_lookup(mm, SCENE_VA), 0), PAGE_SIZE, NEW_VALUE);
	store_release(&scene.flag[1], (u64)mm);
}

static void run(unsigned cpu)
{
	struct access a;

	if (!cpu) {
		exit_and_reuse();
		return;
	}
	a = va_load(SCENE_VA);
	scene_expect(!a.fault && a.value == 1, "does not find the old mm's page");
	switch_lazy();
	add_full(&scene.flag[0], 1);
	switch_mm((struct mm *)wait_until(&scene.flag[1], WAIT_NE, 0, "the new mm"));
	a = va_load(SCENE_VA);
	scene_expect(!a.fault && a.value == NEW_VALUE, "does not find the new mm's page");
}

SCENARIO(exit_reuse, .help = "an mm ends under lazy CPUs, a new one is made of its frames", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
