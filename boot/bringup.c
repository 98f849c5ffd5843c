/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The other CPUs. Order: the boot CPU is 0, then as firmware lists them, or as placement= asks; those that do not come are left
 * out, so numbers have no gaps. State: machine.smp.nr_cpus, nr_expected, online; machine.boot.started.
 */
#include "arch/frame.h"
#include "arch/platform.h"
#include "arch/upcall.h"
#include "boot/run.h"
#include "boot/topology.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/string.h"
#include "machine.h"
#include "mm/frame.h"
#include "smp/wait.h"
#include "task/worker.h"

void upcall_cpu_started(unsigned cpu)
{
	(void)cpu;
	switch_init_cpu();
	/* Full order: all of the above is done when CPU 0 sees the count. */
	add_full(&machine.boot.started, 1);
	worker_loop();
}

/* hw_ids[0] := this CPU, then the others as firmware lists them; with fault=absent one that is nowhere. Returns how many. */
static unsigned order(u32 *hw_ids)
{
	const struct hw_info *hw = &machine.boot.hw;
	unsigned nr = 1;
	u32 highest = 0;

	hw_ids[0] = platform_hw_id();
	for (unsigned i = 0; i < hw->nr_cpus; i++) {
		highest = MAX(highest, hw->hw_id[i]);
		if (hw->hw_id[i] != hw_ids[0] && nr < MAX_CPUS)
			hw_ids[nr++] = hw->hw_id[i];
	}
	if (fault_is_absent_cpu() && nr < MAX_CPUS)
		hw_ids[nr++] = highest + 1;
	return nr;
}

/* One line for CPUs first..last, which differ in the same way. */
static void report(unsigned first, unsigned last, const char *text)
{
	struct record r;

	kprintf("CPUs %u to %u, registers that differ from CPU 0's (in brackets): %s\n", first, last, text);
	record_begin(&r, "note");
	record_str(&r, "note", "registers differ from CPU 0's");
	record_u64(&r, "first_cpu", first);
	record_u64(&r, "last_cpu", last);
	record_str(&r, "differences", text);
	record_end(&r);
}

void report_cpu_differences(void)
{
	char text[2][240];
	unsigned first = 1;

	if (machine.smp.nr_cpus == 1)
		return;
	platform_cpu_differences(1, text[1], sizeof(text[1]));
	for (unsigned cpu = 1; cpu < machine.smp.nr_cpus; cpu++) {
		bool last = cpu + 1 == machine.smp.nr_cpus;

		/* text[cpu % 2] is this one's, the other will be the next one's. */
		if (!last)
			platform_cpu_differences(cpu + 1, text[(cpu + 1) % 2], sizeof(text[0]));
		if (!last && !strcmp(text[0], text[1]))
			continue;
		if (text[cpu % 2][0])
			report(first, cpu, text[cpu % 2]);
		first = cpu + 1;
	}
}

static void missing(u32 hw_id)
{
	struct record r;

	kprintf("error: the CPU with hardware id 0x%x did not start; the run goes on without it\n", hw_id);
	record_begin(&r, "note");
	record_str(&r, "note", "a CPU did not start");
	record_u64(&r, "hw_id", hw_id);
	record_end(&r);
	verdict_worsen(VERDICT_ERROR);
}

const char *bring_up_cpus(void)
{
	u32 *hw_ids = frame_contents(boot_alloc(MAX_CPUS * sizeof(*hw_ids), PAGE_SIZE));
	unsigned nr = order(hw_ids), next = 1;

	topology_order(hw_ids, nr);
	platform_start_cpus(hw_ids, nr);
	for (unsigned i = 1; i < nr; i++) {
		if (!platform_admit_cpu(i, next)) {
			missing(hw_ids[i]);
			continue;
		}
		topology_admitted(hw_ids[i], next);
		wait_until(&machine.boot.started, WAIT_GE, next++, "a CPU that starts");
	}
	machine.smp.nr_cpus = next;
	machine.smp.nr_expected = nr + machine.boot.hw.nr_over_limit;
	cpumask_first_n(&machine.smp.online, next);
	return platform_cpus_complete(machine.smp.nr_cpus == machine.smp.nr_expected);
}
