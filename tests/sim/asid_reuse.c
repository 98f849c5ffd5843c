/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 makes mms, flushes them, and ends them, one after the other; the others visit each and go back to their own. With two
 * global ASIDs, the third mm gets the first one's; with one more ASID than CPUs, as generations need them, some get another's
 * soon: none of its entries may be left.
 */
#include "arch/frame.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define MMS 3

static struct va second(void)
{
	return va_add(SCENE_VA, PAGE_SIZE);
}

static void set_up(void)
{
	struct asids_state *a = &machine.asids;
	struct generations_state *g = &machine.generations;
	unsigned cpu;

	if (a->end) {
		a->end = a->next = a->first + 2;
		store_relaxed(&a->available, 2);
	}
	if (g->end)
		g->end = scene.cpus + 2;
	scene.b = scene_mm(SCENE_VA, 1, RW);
	scene_watch(SCENE_VA);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.b);
	}
}

/* flag[0]: the mm to visit; flag[1]: visits made; flag[2]: how many mms there were. */
static void make_and_end(u64 i)
{
	struct mm *mm = scene_mm(SCENE_VA, 2, RW);

	frame_fill(pte_pa(mm_lookup(mm, SCENE_VA), 0), PAGE_SIZE, 10 + i);
	switch_mm(mm);
	mm_zap(mm, second(), PAGE_SIZE);
	store_relaxed(&scene.flag[0], (u64)mm);
	store_release(&scene.flag[2], i + 1);
	wait_until(&scene.flag[1], WAIT_EQ, (i + 1) * (scene.cpus - 1), "the visitors");
	switch_mm(scene.b);
	mm_destroy(mm);
}

static void run(unsigned cpu)
{
	u64 i;

	for (i = 0; i < MMS; i++) {
		if (!cpu) {
			make_and_end(i);
			continue;
		}
		wait_until(&scene.flag[2], WAIT_EQ, i + 1, "an mm");
		switch_mm((struct mm *)load_relaxed(&scene.flag[0]));
		scene_expect(va_load(SCENE_VA).value == 10 + i, "reads another mm's page");
		switch_mm(scene.b);
		add_full(&scene.flag[1], 1);
	}
}

SCENARIO(asid_reuse, .help = "mms are made and ended one after the other, and the tags are too few for all of them", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
