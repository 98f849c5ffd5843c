/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU 0 maps kernel pages, one by one, and touches each at once; another one, that is told of it, does so too. What has been
 * mapped is there for who mapped it: no fault, not even one that would be found spurious. Nothing is unmapped, so nothing is stale.
 */
#include "arch/platform.h"
#include "check.h"
#include "counter.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define KERNEL_VA VA(KERNEL_MAP_START + 0x10000000)
#define PAGES 3

COUNTER_DECLARE(faults_spurious);

static struct va page(unsigned i)
{
	return va_add(KERNEL_VA, i * PAGE_SIZE);
}

static void set_up(void)
{
	unsigned i;

	for (i = 0; i < PAGES; i++)
		scene_watch(page(i));
}

static void run(unsigned cpu)
{
	struct mm *kmm = &machine.mm.kernel;
	unsigned i;

	for (i = 0; i < PAGES; i++) {
		if (cpu) {
			wait_until(&scene.flag[0], WAIT_NE, i, "a page");
		} else {
			CHECK(mm_populate(kmm, page(i), 1, 0, PROT_READ | PROT_WRITE | PROT_GLOBAL));
			store_release(&scene.flag[0], i + 1);
		}
		scene_expect(!va_load(page(i)).fault, "can't reach a page that is mapped");
		scene_expect(cpu || !counter_of(&counter_faults_spurious, 0), "faults at a page that it has mapped itself");
		if (cpu)
			store_release(&scene.flag[1], i + 1);
		else
			wait_until(&scene.flag[1], WAIT_NE, i, "the other");
	}
}

SCENARIO(kernel_map, .help = "one CPU maps kernel pages, which it and another one touch at once", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
