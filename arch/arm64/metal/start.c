/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From head.S to upcall_boot(), and the start of the other CPUs by PSCI: each sets itself up in the slot of its position in the
 * list and waits to be admitted under its logical number. State: start_id[], start[] in machine.arch. (PSCI, Arm DEN 0022)
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/ipi.h"
#include "arch/arm64/metal/metal.h"
#include "arch/clock.h"
#include "arch/upcall.h"
#include "arch/wait.h"
#include "boot_info.h"
#include "lib/string.h"
#include "machine.h"

u64 image_pa, final_root; /* outside struct machine: head.S reads them */

_Noreturn void arm64_start(u64 blob, u64 image, unsigned level, bool efi); /* called by head.S */
_Noreturn void arm64_secondary(u64 position);

void arm64_start(u64 blob, u64 image, unsigned level, bool efi)
{
	image_pa = image;
	machine.arch.entry_level = level;
	machine.arch.device_next = DEVICE_MAP;
	machine.arch.empty_root = PA((u64)empty_root - IMAGE_MAP + image);
	cpu_set_up(0);
	machine.arch.nr_cpus = 1;
	upcall_boot(efi ? PROTOCOL_EFI : PROTOCOL_FDT, PA(blob));
}

_Noreturn void platform_halt(void)
{
	mask_irqs();
	for (;;)
		wfi();
}

u32 platform_hw_id(void)
{
	return hw_id_of_mpidr(read_mpidr());
}

struct smccc_result psci_call(u64 function, u64 a, u64 b, u64 c)
{
	enum psci how = machine.arch.hw ? machine.arch.hw->psci : PSCI_NONE;

	if (how == PSCI_NONE)
		return (struct smccc_result){ ~0ull, 0 };
	return how == PSCI_HVC ? psci_hvc(function, a, b, c) : psci_smc(function, a, b, c);
}

/*
 * One that comes too late, or whose interrupt controller doesn't answer, halts for good; but for its own start_target it has
 * touched nothing, as its slot may be another's by then.
 */
void arm64_secondary(u64 position)
{
	unsigned i = (unsigned)position;
	struct word *start = &machine.arch.start[i];
	u64 number;

	if (gic_set_up(&machine.arch.start_target[i]) || !cas_full(start, START_AWAITED, START_ARRIVED))
		platform_halt();
	cpu_set_up(i);
	while ((number = load_acquire(start)) == START_ARRIVED)
		wait_halt(start, START_ARRIVED, 0);
	if (number != i)
		cpu_set_up((unsigned)number);
	upcall_cpu_started((unsigned)number);
}

static unsigned arrived(void)
{
	unsigned n = 0;

	for (unsigned i = 1; i < machine.arch.nr_start; i++)
		n += load_acquire(&machine.arch.start[i]) == START_ARRIVED;
	return n;
}

/* Until `wanted` are there, or 2 s have passed and for 1 s none has come. */
static void await(unsigned wanted)
{
	u64 second = clock_info()->khz * 1000, start = clock_now(), last = start;
	unsigned before = 0, n;

	while ((n = arrived()) < wanted) {
		u64 now = clock_now();

		if (n != before)
			last = now;
		before = n;
		if (now - start > 2 * second && now - last > second)
			return;
		delay_us(50);
	}
}

/* As PSCI and reg in a device tree have an id: affinity 3 in bits 39:32. */
static u64 mpidr_of(u32 hw_id)
{
	return (u64)(hw_id >> 24) << 32 | (hw_id & 0xffffff);
}

void platform_start_cpus(const u32 *hw_ids, unsigned nr)
{
	u64 entry = (u64)secondary_start - IMAGE_MAP + image_pa;
	unsigned wanted = 0;

	memcpy(machine.arch.start_id, hw_ids, nr * sizeof(*hw_ids));
	machine.arch.nr_start = nr;
	machine.arch.hw_id[0] = hw_ids[0];
	for (unsigned i = 1; i < nr; i++)
		stacks_map(i - 1);
	dsb_ish(); /* tables and all that the CPUs will read are in memory before they start */
	for (unsigned i = 1; i < nr; i++)
		wanted += !psci_call(PSCI_CPU_ON, mpidr_of(hw_ids[i]), entry, i).x0;
	await(wanted);
}

bool platform_admit_cpu(unsigned i, unsigned cpu)
{
	if (cas_full(&machine.arch.start[i], START_AWAITED, START_CLOSED))
		return false;
	machine.arch.hw_id[cpu] = machine.arch.start_id[i];
	machine.arch.gic_target[cpu] = machine.arch.start_target[i];
	machine.arch.nr_cpus++;
	store_release(&machine.arch.start[i], cpu);
	ipi_send_one(IPI_WAKE, cpu);
	return true;
}

const char *platform_cpus_complete(bool all)
{
	ipi_init(all);
	features_choose();
	machine.cpu[0].arch.regs.ttbr1 = read_ttbr1(); /* it was set up on the boot tables; the others began on these */
	return clock_choose();
}
