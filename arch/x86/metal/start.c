/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From head.S to upcall_boot(), and the start of the other CPUs: INIT, SIPI, SIPI to all of them together; each sets
 * itself up in the slot of its position in the list and waits to be admitted under its logical number. A CPU that comes
 * after the list was closed touches nothing and halts for good. State: start_id[], start[] in machine.arch; stack blocks
 * in trampoline.S. (SDM vol. 3A 9.4)
 */
#include "arch/clock.h"
#include "arch/frame.h"
#include "arch/upcall.h"
#include "arch/wait.h"
#include "arch/x86/insn.h"
#include "arch/x86/ipi.h"
#include "arch/x86/metal/metal.h"
#include "lib/string.h"
#include "machine.h"

#define XAPIC_MAX_ID 254

_Noreturn void x86_start(enum boot_protocol protocol, u32 info); /* called by head.S */
_Noreturn void x86_ap_start(unsigned block); /* called by trampoline.S */

void x86_start(enum boot_protocol protocol, u32 info)
{
	cpu_choose();
	idt_init();
	cpu_set_up(0, (u64)boot_stacks);
	machine.arch.nr_cpus = 1;
	upcall_boot(protocol, PA(info));
}

_Noreturn void platform_halt(void)
{
	cli();
	for (;;)
		hlt();
}

/* Position of this CPU in the list; nr_start if it isn't in it. */
static unsigned start_position(void)
{
	u32 id = platform_hw_id();
	unsigned i = 1;

	while (i < machine.arch.nr_start && machine.arch.start_id[i] != id)
		i++;
	return i;
}

void x86_ap_start(unsigned block)
{
	u64 stacks = STACK_MAP + (u64)block * STACKS_BYTES, number;
	unsigned i;

	apic_set_up();
	i = start_position();
	if (i == machine.arch.nr_start || !cas_full(&machine.arch.start[i], START_AWAITED, START_ARRIVED))
		platform_halt();
	cpu_set_up(i, stacks);
	while ((number = load_acquire(&machine.arch.start[i])) == START_ARRIVED)
		wait_halt(&machine.arch.start[i], START_ARRIVED, 0);
	if (number != i)
		cpu_set_up((unsigned)number, stacks);
	upcall_cpu_started((unsigned)number);
}

static bool can_start(unsigned i)
{
	return machine.arch.x2apic || machine.arch.start_id[i] <= XAPIC_MAX_ID;
}

static void send_all(u32 command)
{
	for (unsigned i = 1; i < machine.arch.nr_start; i++) {
		if (can_start(i))
			apic_icr(machine.arch.start_id[i], command);
	}
}

static unsigned arrived(void)
{
	unsigned n = 0;

	for (unsigned i = 1; i < machine.arch.nr_start; i++)
		n += load_acquire(&machine.arch.start[i]) == START_ARRIVED;
	return n;
}

/* Until all are there, or 2 s have passed and for 1 s none has come. */
static void await(void)
{
	u64 second = clock_info()->khz * 1000, start = clock_now(), last = start;
	unsigned before = 0, n;

	while ((n = arrived()) < machine.arch.nr_start - 1) {
		u64 now = clock_now();

		if (n != before)
			last = now;
		before = n;
		if (now - start > 2 * second && now - last > second)
			return;
		delay_us(50);
	}
}

void platform_start_cpus(const u32 *hw_ids, unsigned nr)
{
	u8 page = (u8)(machine.arch.trampoline >> PAGE_SHIFT);

	memcpy(machine.arch.start_id, hw_ids, nr * sizeof(*hw_ids));
	machine.arch.nr_start = nr;
	machine.arch.hw_id[0] = hw_ids[0];
	if (nr == 1)
		return;
	for (unsigned block = 0; block < nr - 1; block++)
		stacks_map(block);
	ap_blocks_limit = nr - 1;
	memcpy(frame_contents(PA(machine.arch.trampoline)), trampoline_start, (size_t)(trampoline_end - trampoline_start));
	/* What the CPUs will read is in memory before they are told to start; see order_before_icr() in ipi.c. */
	mfence();
	lfence();
	send_all(ICR_INIT);
	delay_us(10000);
	send_all(ICR_STARTUP | page);
	delay_us(200);
	send_all(ICR_STARTUP | page);
	await();
}

bool platform_admit_cpu(unsigned i, unsigned cpu)
{
	if (cas_full(&machine.arch.start[i], START_AWAITED, START_CLOSED))
		return false;
	machine.arch.hw_id[cpu] = machine.arch.start_id[i];
	machine.arch.nr_cpus++;
	store_release(&machine.arch.start[i], cpu);
	ipi_send_one(IPI_WAKE, cpu);
	return true;
}

const char *platform_cpus_complete(bool all)
{
	ipi_init(all);
	return NULL;
}
