/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 zaps a page that the others use, and unmaps another one with its tables; what that frees it uses for something else at
 * once. The others touch both. An early acknowledgement lets CPU 0 go on before they have flushed; with tables it must not.
 */
#include "arch/frame.h"
#include "check.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define TABLES_VA va_add(SCENE_VA, 1ull << 39) /* under another root entry */

COUNTER_DECLARE(acked_early);

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	CHECK(mm_populate(scene.a, TABLES_VA, 1, 0, RW));
	/* Not mapped, in the same table: nothing is cached of it but the way there. */
	scene_watch(va_add(TABLES_VA, PAGE_SIZE));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		va_load(TABLES_VA);
	}
}

static void reuse(unsigned frames)
{
	while (frames--)
		frame_fill(frame_alloc(FRAME_DATA), PAGE_SIZE, 0x5a5a5a5a5a5a5a5b);
}

static void run(unsigned cpu)
{
	struct access a;

	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		reuse(1);
		store_release(&scene.flag[0], 1);
		mm_unmap(scene.a, TABLES_VA, PAGE_SIZE);
		reuse(4);
		return;
	}
	a = va_load(SCENE_VA);
	scene_expect(a.fault || a.value == 1, "reads what was never there");
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
	a = va_load(TABLES_VA);
	scene_expect(a.fault || !a.value, "reads what was never there");
	/* It can't see the flag before it has acknowledged, and goes on after its handler only. */
	if (strategy_now()->policies & POLICY_EARLY_ACK)
		scene_expect(counter_of(&counter_acked_early, cpu) > 0, "has not acknowledged early");
}

SCENARIO(reuse_at_once, .help = "one CPU zaps a page, unmaps another with its tables, and uses what is freed at once",
	 .min_cpus = 2, .set_up = set_up, .run = run);
