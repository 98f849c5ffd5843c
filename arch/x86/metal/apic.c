/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC: its mode, its set-up on each CPU, its timer for bounded halts, and the handlers of our interrupts.
 * State: x2apic and timer_khz in machine.arch, constant after apic_init(). (SDM vol. 3A 11)
 */
#include "arch/clock.h"
#include "arch/upcall.h"
#include "arch/wait.h"
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "machine.h"

#define APIC_BASE_ENABLE (1 << 11)
#define APIC_BASE_X2 (1 << 10)
#define SPIV_ENABLE 0x100
#define TIMER_BY_16 3

void entry_call(void);
void entry_wake(void);
void entry_yardstick_xapic(void);
void entry_yardstick_x2apic(void);
void entry_spurious(void);
void interrupt_call(void); /* called by entry.S */
void interrupt_wake(void);

static u32 apic_read(u32 reg)
{
	return machine.arch.x2apic ? (u32)rdmsr(MSR_X2APIC + reg / 16) : xapic_read(reg);
}

static void apic_write(u32 reg, u32 value)
{
	if (machine.arch.x2apic)
		wrmsr(MSR_X2APIC + reg / 16, value);
	else
		xapic_write(reg, value);
}

void apic_eoi(void)
{
	apic_write(APIC_EOI, 0);
}

/* End of interrupt first: its cost is not behind the flush that the initiator waits for. Interrupts stay off until IRETQ. */
void interrupt_call(void)
{
	apic_eoi();
	upcall_ipi_call();
}

void interrupt_wake(void)
{
	apic_eoi();
}

u32 platform_hw_id(void)
{
	return machine.arch.x2apic ? apic_read(APIC_ID) : apic_read(APIC_ID) >> 24;
}

/* x2APIC wherever the CPU has it: firmware may have left it on, and there is no way back but through a reset of the APIC. */
void apic_init(struct pa base)
{
	machine.arch.x2apic = cpuid(1, 0).ecx & 1 << 21;
	if (!machine.arch.x2apic)
		lapic_map(base);
	idt_set(VECTOR_TIMER, entry_wake, 0);
	idt_set(VECTOR_CALL, entry_call, 0);
	idt_set(VECTOR_WAKE, entry_wake, 0);
	idt_set(VECTOR_YARDSTICK, machine.arch.x2apic ? entry_yardstick_x2apic : entry_yardstick_xapic, 0);
	idt_set(VECTOR_SPURIOUS, entry_spurious, 0);
	apic_set_up();
}

void apic_set_up(void)
{
	u64 base = rdmsr(MSR_APIC_BASE) | APIC_BASE_ENABLE;

	wrmsr(MSR_APIC_BASE, base); /* from off to x2APIC goes through xAPIC only */
	if (machine.arch.x2apic)
		wrmsr(MSR_APIC_BASE, base | APIC_BASE_X2);
	apic_write(APIC_SPIV, SPIV_ENABLE | VECTOR_SPURIOUS);
	apic_write(APIC_TPR, 0); /* firmware may have left a priority that keeps our vectors out */
	apic_write(APIC_LVT_LINT0, LVT_MASKED); /* no 8259. LINT1 stays: it is where a management controller's NMI comes in */
	apic_write(APIC_LVT_ERROR, LVT_MASKED);
	apic_write(APIC_LVT_TIMER, VECTOR_TIMER); /* one shot */
	apic_write(APIC_TIMER_DIV, TIMER_BY_16);
	apic_write(APIC_TIMER_INIT, 0);
}

void apic_timer_calibrate(void)
{
	u64 start, counts;

	apic_write(APIC_LVT_TIMER, LVT_MASKED | VECTOR_TIMER);
	start = clock_now();
	apic_write(APIC_TIMER_INIT, ~0u);
	delay_us(2000);
	counts = ~0u - apic_read(APIC_TIMER_NOW);
	machine.arch.timer_khz = MAX(counts * clock_info()->khz / (clock_now() - start), 1ull);
	apic_write(APIC_TIMER_INIT, 0);
	apic_write(APIC_LVT_TIMER, VECTOR_TIMER);
}

static void timer_set(u64 ticks)
{
	u64 counts = ticks * machine.arch.timer_khz / clock_info()->khz + 1;

	apic_write(APIC_TIMER_INIT, (u32)MIN(counts, (u64)~0u));
}

void wait_halt(const struct word *w, u64 seen, u64 ticks)
{
	if (ticks)
		timer_set(ticks);
	/*
	 * Nothing is missed: who changes *w sends IPI_WAKE afterwards. Either the new value is seen here, or the interrupt
	 * is still to come, stays pending while interrupts are off, and ends the halt.
	 */
	if (load_acquire(w) == seen) {
		sti_hlt();
	} else {
		sti();
		pause(); /* STI takes effect after the next instruction */
	}
	cli();
	if (ticks)
		apic_write(APIC_TIMER_INIT, 0);
}
