/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two threads of an mm. One goes from CPU to CPU and back, touches what is there and must reach nothing that is gone; the other
 * one, where that has just left, zaps a page meanwhile. Then that CPU goes on to other mms, with entries of this one left, until
 * they come again. Where ASIDs have generations there are more mms than those.
 */
#include "arch/frame.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define PAGES 5
#define VALUE_OF(i) (10 + (i))

static struct va page(u64 i)
{
	return va_add(SCENE_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	struct generations_state *g = &machine.generations;
	unsigned i;

	if (g->end)
		g->end = scene.cpus + 2; /* as few as may be: one more than CPUs */
	scene.a = scene_mm(SCENE_VA, PAGES, RW);
	for (i = 0; i < ARRAY_SIZE(scene.more); i++) {
		scene.more[i] = scene_mm(SCENE_VA, 1, RW);
		frame_fill(pte_pa(mm_lookup(scene.more[i], SCENE_VA), 0), PAGE_SIZE, VALUE_OF(i));
	}
	for (i = 0; i < PAGES; i++)
		scene_watch(page(i));
}

static void visit(unsigned i)
{
	switch_mm(scene.more[i]);
	scene_expect(va_load(SCENE_VA).value == VALUE_OF(i), "reads another mm's page");
}

/* flag[0]: where the one that moves is due; flag[1]: bit i: page i is gone. */
static void turn(unsigned turn)
{
	u64 gone, i;

	switch_mm(scene.a);
	gone = load_acquire(&scene.flag[1]);
	for (i = 0; i < PAGES; i++)
		scene_expect(va_load(page(i)).fault || !(gone >> i & 1), "reaches a page that is gone");
	store_release(&scene.flag[0], turn + 1);
	mm_zap(scene.a, page(turn), PAGE_SIZE);
	add_full(&scene.flag[1], 1ull << turn);
	scene_expect(va_load(page(turn)).fault, "reaches a page that it has just zapped");
}

static void run(unsigned cpu)
{
	unsigned i;

	for (i = cpu; i < PAGES; i += scene.cpus) {
		wait_until(&scene.flag[0], WAIT_EQ, i, "the thread");
		turn(i);
		visit((i + cpu) % 4);
		visit((i + cpu + 1) % 4);
	}
}

SCENARIO(thread_moves, .help = "a thread goes from CPU to CPU, pages are zapped where it has just left", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
