/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only CPU 0 has run a so far. It zaps its pages, one by one, at last with the tables; under way it leaves a, and comes back. The
 * others enter a meanwhile, touch what is there, and go on to other mms; where ASIDs have generations there are more mms than
 * those.
 */
#include "arch/frame.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 4 /* of a */
#define LOOKS 3 /* the later ones may be stale, but legal */
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
		switch_mm(cpu ? scene.more[cpu % 4] : scene.a);
		for (i = 0; i < PAGES && !cpu; i++)
			va_load(page(i));
	}
}

static void visit(unsigned i)
{
	switch_mm(scene.more[i]);
	scene_expect(va_load(SCENE_VA).value == VALUE_OF(i), "reads another mm's page");
}

/* flag[0]: so many pages are gone. */
static void change(void)
{
	unsigned i;

	for (i = 0; i < PAGES; i++) {
		if (i == 1)
			visit(3); /* and zaps what it doesn't run */
		if (i == 2)
			switch_mm(scene.a);
		if (i < PAGES - 1)
			mm_zap(scene.a, page(i), PAGE_SIZE);
		else
			mm_unmap(scene.a, SCENE_VA, PAGES * PAGE_SIZE);
		store_release(&scene.flag[0], i + 1);
		scene_expect(i == 1 || va_load(page(i)).fault, "reaches a page that it has zapped itself");
	}
}

static void run(unsigned cpu)
{
	unsigned i, look;
	u64 gone;

	if (!cpu) {
		change();
		return;
	}
	for (i = 0; i < 3; i++) {
		switch_mm(scene.a);
		gone = load_acquire(&scene.flag[0]);
		scene_expect(!gone || va_load(page(gone - 1)).fault, "reaches a page that is gone");
		for (look = 0; look < LOOKS; look++)
			va_load(page(MIN(gone, PAGES - 1ull)));
		visit((i + cpu) % 4);
	}
}

SCENARIO(alone, .help = "pages go of an mm that one CPU has run, while others enter it and leave it", .min_cpus = 2,
	 .set_up = set_up, .run = run);
