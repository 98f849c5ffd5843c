/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on request, to see that the kernel names them and ends: option fault=. No state. */
#include "arch/irq.h"
#include "boot/run.h"
#include "check.h"
#include "machine.h"
#include "option.h"
#include "smp/wait.h"
#include "task/worker.h"

OPTION(fault, .kind = OPTION_ENUM, .accepts = "none|hang|check", .def = "none",
       .help = "fail on purpose: the last CPU stops answering, or finds an impossible state; ends with verdict error");

enum fault { FAULT_NONE, FAULT_HANG, FAULT_CHECK };

/* Interrupts off for ever, and nobody is served: only a non-maskable interrupt gets through. */
static void hang(void *unused, unsigned index)
{
	(void)unused, (void)index;
	irq_save();
	wait_briefly(~0ull);
}

static void find_impossible(void *unused, unsigned index)
{
	(void)unused;
	CHECK(index == ~0u);
}

void inject_fault(void)
{
	static const struct job jobs[] = {
		[FAULT_HANG] = { .fn = hang },
		[FAULT_CHECK] = { .fn = find_impossible },
	};
	unsigned fault = option_enum(&option_fault);

	if (fault == FAULT_NONE)
		return;
	if (fault == FAULT_HANG && machine.smp.nr_cpus == 1)
		run_error("fault=hang: this machine has 1 CPU; with 2 or more another one is left to notice");
	if (fault == FAULT_HANG && !machine.smp.watchdog_ticks)
		run_error("fault=hang: with watchdog=0 nobody would notice; 1 and more are accepted");
	cpumask_zero(&machine.shootdown.scratch);
	cpumask_set(&machine.shootdown.scratch, machine.smp.nr_cpus - 1);
	workers_start(&machine.shootdown.scratch, &jobs[fault]);
	/* The others need it for this. */
	strategy_install(&machine.shootdown.boot);
	workers_wait(&machine.shootdown.scratch, &jobs[fault]);
}
