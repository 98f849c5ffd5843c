/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs that come up late: with a root and entries, global ones too, from an earlier life, and without a trace of it in the
 * bookkeeping. Meanwhile CPU 0 has unmapped the pages and flushed whoever was there. Once up, they must not use what they came
 * with.
 */
#include "arch/irq.h"
#include "arch/platform.h"
#include "check.h"
#include "sim/scenario.h"
#include "smp/wait.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)
#define KERNEL_VA VA(KERNEL_MAP_START + 0x10000000)

/* This CPU's earlier life: it ran a, and used both pages. */
static void go_away(unsigned cpu)
{
	switch_mm(scene.a);
	va_load(SCENE_VA);
	va_load(KERNEL_VA);
	shared_mask_clear(&scene.a->cpumask, cpu);
	cpumask_clear(&machine.smp.online, cpu);
	this_cpu()->tlb = (struct tlb_state){ 0 };
}

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	CHECK(mm_populate(&machine.mm.kernel, KERNEL_VA, 1, 0, PROT_READ | PROT_WRITE | PROT_GLOBAL));
	scene_watch(SCENE_VA);
	scene_watch(KERNEL_VA);
	for (cpu = 1; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		go_away(cpu);
	}
}

static void come_up(void)
{
	bool irqs = irq_save();

	wait_until(&scene.flag[0], WAIT_NE, 0, "being let in");
	switch_init_cpu();
	irq_restore(irqs);
}

static void run(unsigned cpu)
{
	if (!cpu) {
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		mm_zap(&machine.mm.kernel, KERNEL_VA, PAGE_SIZE);
		cpumask_first_n(&machine.smp.online, scene.cpus);
		store_release(&scene.flag[0], 1);
		return;
	}
	come_up();
	scene_expect(va_load(KERNEL_VA).fault, "reaches a kernel page that is gone");
	switch_mm(scene.a);
	scene_expect(va_load(SCENE_VA).fault, "reaches a page that is gone");
}

SCENARIO(late_cpu, .help = "CPUs come up with entries of an earlier life", .min_cpus = 2,
	 .set_up = set_up, .run = run, .no_stale = true);
