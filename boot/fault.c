/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on request, to see that the kernel names them and ends: option fault=. No state. */
#include "boot/run.h"
#include "check.h"
#include "machine.h"
#include "option.h"
#include "smp/call.h"
#include "smp/crumb.h"
#include "smp/wait.h"
#include "task/worker.h"

OPTION(fault, .kind = OPTION_ENUM, .accepts = "none|hang|call|check", .def = "none",
       .help = "fail on purpose: the last CPU stops answering, never ends a call, or finds an impossible state; ends with verdict "
	       "error");

enum fault { FAULT_NONE, FAULT_HANG, FAULT_CALL, FAULT_CHECK };

static const char hanging[] = "fault=hang";

/* Interrupts off for ever, and nobody is served: only a non-maskable interrupt gets through. */
static void hang(void *unused, unsigned index)
{
	(void)unused, (void)index;
	irq_save_for(hanging);
	wait_briefly(~0ull);
}

/* In the handler of a call, which is not acknowledged. */
static void hang_in_call(const void *unused)
{
	(void)unused;
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
	const char *hangs = fault == FAULT_HANG || fault == FAULT_CALL ? option_text(&option_fault) : NULL;

	if (fault == FAULT_NONE)
		return;
	if (hangs && machine.smp.nr_cpus == 1)
		run_error("fault=%s: this machine has 1 CPU; with 2 or more one is left to notice", hangs);
	if (hangs && !machine.smp.watchdog_ticks)
		run_error("fault=%s: with watchdog=0 nobody would notice; 1 and more are accepted", hangs);
	cpumask_zero(&machine.shootdown.scratch);
	cpumask_set(&machine.shootdown.scratch, machine.smp.nr_cpus - 1);
	if (fault == FAULT_CALL)
		call_on(&machine.shootdown.scratch, hang_in_call, NULL);
	workers_start(&machine.shootdown.scratch, &jobs[fault]);
	/* Not before it hangs, or it would still serve the calls; the others need it for this. */
	if (fault == FAULT_HANG)
		wait_until(&machine.cpu[machine.smp.nr_cpus - 1].smp.crumb.irqs_off, WAIT_EQ, (u64)hanging, "a CPU that hangs");
	strategy_install(&machine.shootdown.boot);
	workers_wait(&machine.shootdown.scratch, &jobs[fault]);
}
