/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 1 is lazy on a, reclaims a page of b, and switches to b, which may have to wait for a broadcast first; CPU 0 ends a meanwhile
 * and uses its frame for something else.
 */
#include "arch/frame.h"
#include "check.h"
#include "mm/batch.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define ALL_ONES (~0ull)

static void set_up(void)
{
	scene.a = mm_create();
	CHECK(scene.a && mm_populate(scene.a, SCENE_VA, 1, 1, RW));
	scene.b = scene_mm(SCENE_VA, 1, RW);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b);
	scene_be(1);
	switch_mm(scene.a);
	switch_lazy();
	scene_be(0);
}

static bool all_ones(struct pa pa)
{
	const u64 *contents = frame_contents(pa);
	unsigned i;

	for (i = 0; i < PAGE_SIZE / 8 && contents[i] == ALL_ONES; i++)
		;
	return i == PAGE_SIZE / 8;
}

static void run(unsigned cpu)
{
	struct pa pa = scene.a->frame, got;
	unsigned i;

	if (cpu == 1) {
		mm_pageout(scene.b, SCENE_VA, PAGE_SIZE);
		wait_until(&scene.a->gathers, WAIT_NE, 0, "the end of a");
		for (i = 0; i < 1300; i++) /* the end of an mm takes long */
			load_relaxed(&scene.flag[2]);
		switch_mm(scene.b);
		batch_flush();
		store_release(&scene.flag[1], 1);
		return;
	}
	if (cpu)
		return;
	mm_destroy(scene.a);
	do
		got = frame_alloc(FRAME_DATA);
	while (got.raw != pa.raw && !pa_is_none(got));
	frame_fill(pa, PAGE_SIZE, ALL_ONES);
	wait_until(&scene.flag[1], WAIT_EQ, 1, "the other");
	scene_expect(all_ones(pa), "finds its page changed by somebody else");
}

SCENARIO(asid_sweep, .help = "a lazy CPU goes on to another mm with a broadcast owed, while the one it is lazy on ends",
	 .min_cpus = 2, .set_up = set_up, .run = run, .no_stale = true);
