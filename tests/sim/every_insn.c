/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What benchmark "insn" measures, on each CPU at the same time: none of it faults, with whatever the CPUs have. This is where the
 * operands of INVLPGB are tried, which no emulator executes.
 */
#include "arch/irq.h"
#include "bench.h"
#include "sim/scenario.h"

static void set_up(void)
{
}

static void run(unsigned cpu)
{
	const struct insn_op *op;
	bool irqs = irq_save();

	(void)cpu;
	switch_to_kernel();
	REGISTRY_FOR_EACH (op, insns) {
		if (op->missing && op->missing())
			continue;
		op->run(2);
		if (op->settle)
			op->settle();
	}
	irq_restore(irqs);
}

SCENARIO(every_insn, .help = "what benchmark insn measures", .min_cpus = 1, .set_up = set_up, .run = run, .no_stale = true);
