/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps the pages of a, one by one; the others go around mms with different pages at one address, and come back to a each
 * time, and to the kernel's. Under tagging generation there are more mms than ASIDs: generations change under all of that.
 */
#include "arch/frame.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 3 /* of a */
#define LOOKS 4 /* the later ones may be stale, but legal */
#define VALUE_OF(i) (10 + (i))

static struct va page(u64 i)
{
	return va_add(SCENE_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	struct generations_state *g = &machine.generations;
	unsigned cpu, i;

	if (g->end)
		g->end = scene.cpus + 2; /* as few as may be: one more than CPUs */
	scene.a = scene_mm(SCENE_VA, PAGES, RW);
	for (i = 0; i < ARRAY_SIZE(scene.more); i++) {
		scene.more[i] = scene_mm(SCENE_VA, 1, RW);
		frame_fill(pte_pa(mm_lookup(scene.more[i], SCENE_VA), 0), PAGE_SIZE, VALUE_OF(i));
	}
	for (i = 0; i < PAGES; i++)
		scene_watch(page(i));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		for (i = 0; i < PAGES; i++)
			va_load(page(i));
	}
}

static void visit(unsigned i)
{
	switch_mm(scene.more[i]);
	scene_expect(va_load(SCENE_VA).value == VALUE_OF(i), "reads another mm's page");
}

/* flag[0]: so many pages are gone. */
static void run(unsigned cpu)
{
	unsigned i, look;
	u64 gone;

	for (i = 0; i < PAGES; i++) {
		if (!cpu && i == 1)
			visit(3); /* and zaps what it doesn't run */
		if (!cpu) {
			mm_zap(scene.a, page(i), PAGE_SIZE);
			store_release(&scene.flag[0], i + 1);
			continue;
		}
		visit((i + cpu) % 4);
		visit((i + cpu + 1) % 4);
		switch_mm(scene.a);
		gone = load_acquire(&scene.flag[0]);
		scene_expect(!gone || va_load(page(gone - 1)).fault, "reaches a page that is gone");
		for (look = 0; look < LOOKS; look++)
			va_load(page(MIN(gone, PAGES - 1ull)));
		if (i == 1)
			switch_to_kernel();
	}
}

SCENARIO(asid_rollover, .help = "pages go one by one, while others go around more mms than there are ASIDs", .min_cpus = 2,
	 .set_up = set_up, .run = run);
