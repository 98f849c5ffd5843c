/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU 0 zaps a page, which may get the mm a global ASID; lazy CPUs come back to it afterwards. */
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	scene.b = scene_mm(SCENE_VA, 1, RW);
	if (strategy_now()->transport->broadcasts)
		asid_promote(scene.b);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
		if (cpu)
			switch_lazy();
	}
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		store_release(&scene.flag[0], 1);
		return;
	}
	wait_until(&scene.flag[0], WAIT_NE, 0, "the zap");
	switch_mm(scene.a);
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(asid_lazy, .help = "lazy CPUs come back to an mm that got a global ASID meanwhile", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
