/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of arch/x86/metal offer each other. */
#ifndef ARCH_X86_METAL_H
#define ARCH_X86_METAL_H

#include "arch/irq.h"
#include "arch/x86/regs.h"
#include "types.h"

/* head.S, trampoline.S */
extern char boot_stacks[];
extern char trampoline_start[], trampoline_end[];
extern u64 final_root;
extern u32 ap_blocks, ap_blocks_limit;

/* Top of stack `ist` of a CPU's block of stacks: 0 the stack, 1..NR_IST those of NMI, #DF, #MC. Below each is a guard page. */
static inline u64 stack_top(u64 block, unsigned ist)
{
	return block + PAGE_SIZE + STACK_BYTES + ist * (PAGE_SIZE + IST_BYTES);
}

/* cpu.c: chooses the whole-value registers, once; then sets this CPU up as logical number `cpu`. Repeatable with another number. */
void cpu_choose(void);
void cpu_set_up(unsigned cpu, u64 block);
bool cpu_is_amd(void);

/* features.c: tags and broadcast, when options are known, on the boot CPU. NULL, or what is wrong with the options. */
const char *features_choose(char *error, size_t size);

/* trap.c */
void idt_init(void);
void idt_set(unsigned vector, void (*entry)(void), unsigned ist);

/* apic.c: controller of the boot CPU and the choice of its mode; of this CPU; its timer's rate (clock must be known). */
void apic_init(struct pa base);
void apic_set_up(void);
void apic_timer_calibrate(void);
void apic_eoi(void);

/* tables.c: an uncached window; memory for a block of stacks at its place in STACK_MAP. */
void *device_map(struct pa pa, u64 bytes);
void lapic_map(struct pa pa); /* at DEVICE_MAP: no other window comes first */
u64 stacks_map(unsigned block);

/* clock.c: finds the rate. Then a delay that occupies the CPU. */
void clock_init(u32 pm_timer_port);
void delay_us(u64 us);

/* serial.c: a console in memory moves to a window of its own. */
void serial_map(void);

/* identity.c: fills machine.arch.id; the two may be asked before. */
void identity_init(void);
bool emulator_is_tcg(void);
bool emulator_is_qemu(void);

#endif
