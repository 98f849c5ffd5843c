/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 reclaims a page of a and leaves a; the thread goes on on CPU 1, which comes from the kernel's mm and ends its own batch,
 * which has nothing in it. CPU 2 has run a all the time. CPU 0 ends its batch when the thread tells it to.
 */
#include "mm/batch.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

enum { MOVED, BACK, DONE }; /* scene.flag[] */

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		if (cpu == 1)
			switch_to_kernel();
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	if (!cpu) {
		mm_pageout(scene.a, SCENE_VA, PAGE_SIZE);
		switch_to_kernel();
		store_release(&scene.flag[MOVED], 1);
		wait_until(&scene.flag[BACK], WAIT_EQ, 1, "the thread");
		batch_flush();
		store_release(&scene.flag[DONE], 1);
		return;
	}
	if (cpu == 1) {
		wait_until(&scene.flag[MOVED], WAIT_EQ, 1, "the thread");
		switch_mm(scene.a);
		batch_flush();
		store_release(&scene.flag[BACK], 1);
		return;
	}
	for (i = 0; i < 12; i++)
		va_load(SCENE_VA);
	wait_until(&scene.flag[DONE], WAIT_EQ, 1, "the batch");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(batch_elsewhere, .help = "a thread reclaims a page on one CPU, moves, and ends batches on both", .min_cpus = 3,
	 .set_up = set_up, .run = run);
