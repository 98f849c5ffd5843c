/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on request, to see that the kernel names them and ends: option fault=. No state. */
#include "arch/platform.h"
#include "boot/run.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "machine.h"
#include "mm/frame.h"
#include "option.h"
#include "smp/call.h"
#include "smp/crumb.h"
#include "smp/wait.h"
#include "task/worker.h"

OPTION(fault, .kind = OPTION_ENUM, .def = "none",
       .accepts = "none|hang|call|lost-ipi|check|exception|stack|frames|absent|reset",
       .help = "fail on purpose: the last CPU stops answering, never ends a call, is not interrupted for one, finds an impossible "
	       "state, reads where nothing is mapped, or calls itself for ever; almost all frames are taken; a CPU is listed that "
	       "does not exist; the machine is reset in the middle of the run");

enum fault {
	FAULT_NONE,
	FAULT_HANG,
	FAULT_CALL,
	FAULT_LOST_IPI,
	FAULT_CHECK,
	FAULT_EXCEPTION,
	FAULT_STACK,
	FAULT_FRAMES,
	FAULT_ABSENT,
	FAULT_RESET
};

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

static void nothing(const void *unused)
{
	(void)unused;
}

/*
 * As if the interrupt for a call had been lost: the call is on the list, so nobody interrupts this CPU for the next one. What it
 * is busy with serves none.
 */
static void lose_ipi(void *unused, unsigned index)
{
	struct smp_cpu *self = &this_cpu()->smp;
	struct call_node *node = &self->call_nodes[this_cpu()->id];

	(void)unused, (void)index;
	store_relaxed(&node->fn, (u64)nothing);
	store_relaxed(&node->next, 0);
	store_release(&self->call_list, (u64)node);
	wait_briefly(~0ull);
}

static void read_nothing(void *unused, unsigned index)
{
	u64 word;

	(void)unused;
	memcpy(&word, (const void *)(u64)(index + 8), sizeof(word));
	kprintf("0x%llx\n", (unsigned long long)word);
}

/* No stack is deep enough for it to end. What it has there is looked at afterwards, so no compiler makes a loop of it. */
static u64 call_itself(const u64 *above)
{
	u64 here[8];

	memcpy(here, above, sizeof(here));
	here[0]++;
	return here[0] ? call_itself(here) + here[0] : 0;
}

static void overflow_stack(void *unused, unsigned index)
{
	const u64 first[8] = { index };

	(void)unused;
	kprintf("%llu\n", (unsigned long long)call_itself(first));
}

/* As many are left as the address spaces of a benchmark may begin with, and not as many as it goes on to use. */
static void take_frames(void)
{
	while (frames_free_now() > 64 && !pa_is_none(frame_alloc(FRAME_DATA)))
		;
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
		[FAULT_LOST_IPI] = { .fn = lose_ipi },
		[FAULT_EXCEPTION] = { .fn = read_nothing },
		[FAULT_STACK] = { .fn = overflow_stack },
		[FAULT_CHECK] = { .fn = find_impossible },
	};
	unsigned fault = option_enum(&option_fault);
	const char *hangs = fault >= FAULT_HANG && fault <= FAULT_LOST_IPI ? option_text(&option_fault) : NULL;

	if (fault == FAULT_RESET)
		platform_end(END_REBOOT, VERDICT_ERROR);
	if (fault == FAULT_FRAMES)
		take_frames();
	if (fault == FAULT_NONE || fault == FAULT_FRAMES || fault == FAULT_ABSENT)
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
	if (fault == FAULT_LOST_IPI)
		wait_until(&machine.cpu[machine.smp.nr_cpus - 1].smp.call_list, WAIT_NE, 0, "a call whose interrupt is lost");
	strategy_install(&machine.shootdown.boot);
	workers_wait(&machine.shootdown.scratch, &jobs[fault]);
}

bool fault_is_absent_cpu(void)
{
	return option_enum(&option_fault) == FAULT_ABSENT;
}
