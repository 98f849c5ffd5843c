/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Wrong on purpose: CPU 0 zaps a page with a lock held that CPU 1, which runs the mm, waits for with interrupts off and without
 * serving requests. What the report of a deadlock says is tried on it.
 */
#include "arch/irq.h"
#include "sim/scenario.h"
#include "smp/crumb.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static void set_up(void)
{
	unsigned cpu;

	scene.a = scene_mm(SCENE_VA, 1, RW);
	for (cpu = 0; cpu < scene.cpus; cpu++) {
		scene_be(cpu);
		switch_mm(scene.a);
		va_load(SCENE_VA);
	}
}

static void run(unsigned cpu)
{
	bool irqs;

	if (!cpu) {
		lock_take(&scene.lock, "the lock of the scene");
		mm_zap(scene.a, SCENE_VA, PAGE_SIZE);
		lock_release(&scene.lock);
		return;
	}
	irqs = irq_save_for("the wrong scenario");
	lock_take_alone(&scene.lock, "the lock of the scene");
	lock_release(&scene.lock);
	irq_restore(irqs);
}

SCENARIO(wrong_irqs_off, .help = "a flush under a lock that is waited for with interrupts off", .min_cpus = 2, .set_up = set_up,
	 .run = run, .no_stale = true, .wrong = true);
