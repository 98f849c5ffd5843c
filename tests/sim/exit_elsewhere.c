/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs 0 and 1 zap the same page of an mm that the others have left, with their bits still in its mask; who comes second finds
 * nothing there, but asks for a flush too while the first one's is under way. Then CPU 0 ends the mm, and uses its frames for data:
 * nobody who was asked to flush it may write there any more.
 */
#include "arch/frame.h"
#include "check.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define ALL_ONES (~0ull)

enum { ZAPPED, REUSED, AWAY }; /* scene.flag[] */

static void set_up(void)
{
	unsigned cpu;

	/* A large one: to end the mm takes less time, for which a CPU has to be held up. */
	scene.a = mm_create();
	CHECK(scene.a && mm_populate(scene.a, SCENE_VA, 1, 1, RW));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		if (cpu)
			switch_to_kernel();
	}
}

static bool all_ones(struct pa pa)
{
	const u64 *contents = frame_contents(pa);
	unsigned i;

	for (i = 0; i < PAGE_SIZE / 8 && contents[i] == ALL_ONES; i++)
		;
	return i == PAGE_SIZE / 8;
}

static void end_and_reuse(void)
{
	struct pa pa = scene.a->frame, got;

	wait_until(&scene.flag[ZAPPED], WAIT_EQ, 1, "the other zap");
	mm_destroy(scene.a);
	do
		got = frame_alloc(FRAME_DATA);
	while (got.raw != pa.raw && !pa_is_none(got)); /* none: quarantined */
	frame_fill(pa, PAGE_SIZE, ALL_ONES);
	store_release(&scene.flag[REUSED], 1);
	/* What goes on in their handlers has ended then. */
	wait_until(&scene.flag[AWAY], WAIT_EQ, scene.cpus - 1, "the others");
	scene_expect(all_ones(pa), "finds its page changed by somebody else");
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, LARGE_SIZE);
		end_and_reuse();
		return;
	}
	if (cpu == 1) {
		mm_zap(scene.a, SCENE_VA, LARGE_SIZE);
		store_release(&scene.flag[ZAPPED], 1);
	}
	wait_until(&scene.flag[REUSED], WAIT_EQ, 1, "the reuse");
	add_full(&scene.flag[AWAY], 1);
}

SCENARIO(exit_elsewhere, .help = "an mm ends right after flushes that reached CPUs which don't run it", .min_cpus = 3,
	 .set_up = set_up, .run = run, .no_stale = true);
