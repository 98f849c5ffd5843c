/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 goes from a to b; CPU 1 meanwhile enters more mms than there are ASIDs, so that a gets another one, and takes a page of a
 * away with its tables. Until CPU 0 has loaded b's root it has a's, and a's walk caches, under the ASID that a had.
 */
#include "arch/frame.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	struct generations_state *g = &machine.generations;
	unsigned i;

	if (g->end)
		g->end = scene.cpus + 2; /* as few as may be: one more than CPUs */
	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	for (i = 0; i < 2; i++)
		scene.more[i] = scene_mm(SCENE_VA, 1, RW);
	scene_watch(va_add(SCENE_VA, PAGE_SIZE)); /* nothing is there, so only the tables are walked */
	switch_mm(scene.b);
	switch_mm(scene.a);
	va_load(SCENE_VA);
}

static void run(unsigned cpu)
{
	struct pa pa;
	unsigned i;

	if (!cpu) {
		switch_mm(scene.b);
		return;
	}
	if (cpu > 1)
		return;
	switch_mm(scene.more[0]);
	switch_mm(scene.more[1]);
	switch_mm(scene.a);
	mm_unmap(scene.a, SCENE_VA, PAGE_SIZE);
	for (i = 0; i < 4; i++) {
		pa = frame_alloc(FRAME_DATA);
		frame_fill(pa, PAGE_SIZE, 0x5a5a5a5a5a5a5a5b);
	}
	for (i = 0; i < 100; i++)
		load_relaxed(&scene.flag[0]); /* time for walkers */
}

SCENARIO(asid_straggler, .help = "tables are freed of an mm that has got another ASID since a CPU about to leave it entered it",
	 .min_cpus = 2, .set_up = set_up, .run = run, .no_stale = true);
