/* SPDX-License-Identifier: BSD-2-Clause */
/* Each CPU alternates between two mms that have different pages at the same address; nothing is ever flushed but by switching. */
#include "arch/frame.h"
#include "sim/scenario.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define OF_A 1 /* scene_mm() */
#define OF_B 7

static void set_up(void)
{
	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	frame_fill(pte_pa(mm_lookup(scene.b, SCENE_VA), 0), PAGE_SIZE, OF_B);
	scene_watch(SCENE_VA);
}

static void run(unsigned cpu)
{
	unsigned i;

	(void)cpu;
	for (i = 0; i < 3; i++) {
		switch_mm(scene.a);
		scene_expect(va_load(SCENE_VA).value == OF_A, "reads the other mm's page");
		switch_mm(scene.b);
		scene_expect(va_load(SCENE_VA).value == OF_B, "reads the other mm's page");
	}
}

SCENARIO(two_mms, .help = "each CPU alternates between two mms with different pages at one address", .min_cpus = 1,
	 .set_up = set_up, .run = run, .no_stale = true);
