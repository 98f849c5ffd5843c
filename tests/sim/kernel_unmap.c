/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 unmaps two kernel pages, one after the other (with the second their tables go too); the others, in a user mm and in
 * KMM, touch both. Global entries, every CPU.
 */
#include "arch/platform.h"
#include "check.h"
#include "sim/scenario.h"

#define KERNEL_VA VA(KERNEL_MAP_START + 0x10000000)

static void set_up(void)
{
	struct mm *kmm = &machine.mm.kernel;
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, PROT_READ | PROT_USER);
	CHECK(mm_populate(kmm, KERNEL_VA, 2, 0, PROT_READ | PROT_WRITE | PROT_GLOBAL));
	scene_watch(KERNEL_VA);
	scene_watch(va_add(KERNEL_VA, PAGE_SIZE));
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		if (cpu % 2)
			switch_mm(scene.a);
	}
}

static void run(unsigned cpu)
{
	unsigned i;

	for (i = 0; i < 4; i++) {
		struct va va = va_add(KERNEL_VA, i % 2 * PAGE_SIZE);
		struct access a;

		if (!cpu && i < 2) {
			mm_unmap(&machine.mm.kernel, va, PAGE_SIZE);
		} else if (cpu) {
			a = va_load(va);
			scene_expect(a.fault || !a.value, "reads what was never there");
		}
	}
}

SCENARIO(kernel_unmap, .help = "one CPU unmaps kernel pages that the others touch", .min_cpus = 2, .set_up = set_up, .run = run);
