/* SPDX-License-Identifier: BSD-2-Clause */
/* arch/x86/insn.h as inline assembly. What may fault and is recovered from is in metal/recover.S. */
#ifndef MACHINE_INSN_H
#define MACHINE_INSN_H

#ifndef ARCH_X86_INSN_H
#error "include arch/x86/insn.h"
#endif

static inline void invlpg(struct va va)
{
	asm volatile("invlpg (%0)" : : "r"(va.raw) : "memory");
}

#define CONTROL_REGISTER(reg)                                          \
	static inline u64 read_##reg(void)                             \
	{                                                              \
		u64 value;                                             \
		asm volatile("mov %%" #reg ", %0" : "=r"(value) : : "memory"); \
		return value;                                          \
	}                                                              \
	static inline void write_##reg(u64 value)                      \
	{                                                              \
		asm volatile("mov %0, %%" #reg : : "r"(value) : "memory"); \
	}
CONTROL_REGISTER(cr0)
CONTROL_REGISTER(cr3)
CONTROL_REGISTER(cr4)

static inline u64 read_cr2(void)
{
	u64 value;

	asm volatile("mov %%cr2, %0" : "=r"(value));
	return value;
}

static inline void invpcid(unsigned type, u64 pcid, struct va va)
{
	u64 descriptor[2] = { pcid, va.raw };

	asm volatile("invpcid %0, %1" : : "m"(descriptor), "r"((u64)type) : "memory");
}

static inline void invlpgb(u64 rax, u32 ecx, u32 edx)
{
	asm volatile(".byte 0x0f, 0x01, 0xfe" : : "a"(rax), "c"(ecx), "d"(edx) : "memory");
}

static inline void tlbsync(void)
{
	asm volatile(".byte 0x0f, 0x01, 0xff" : : : "memory");
}

static inline void mfence(void)
{
	asm volatile("mfence" : : : "memory");
}

static inline void lfence(void)
{
	asm volatile("lfence" : : : "memory");
}

static inline void pause(void)
{
	asm volatile("pause" : : : "memory");
}

static inline void locked_add_stack(void)
{
	/* Below the stack pointer: no dependency on what a function just pushed. There is no red zone. */
	asm volatile("lock addl $0, -4(%%rsp)" : : : "memory", "cc");
}

static inline u64 rdmsr(u32 msr)
{
	u32 low, high;

	asm volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr) : "memory");
	return (u64)high << 32 | low;
}

static inline void wrmsr(u32 msr, u64 value)
{
	asm volatile("wrmsr" : : "c"(msr), "a"((u32)value), "d"((u32)(value >> 32)) : "memory");
}

struct msr recover_rdmsr(u32 msr);
bool recover_wrmsr(u32 msr, u64 value);

static inline struct msr rdmsr_safe(u32 msr)
{
	return recover_rdmsr(msr);
}

static inline bool wrmsr_safe(u32 msr, u64 value)
{
	return recover_wrmsr(msr, value);
}

static inline struct cpuid cpuid(u32 leaf, u32 subleaf)
{
	struct cpuid r;

	asm volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx) : "a"(leaf), "c"(subleaf));
	return r;
}

static inline u64 rdtsc(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high));
	return (u64)high << 32 | low;
}

static inline u64 read_flags(void)
{
	u64 flags;

	asm volatile("pushfq; popq %0" : "=r"(flags) : : "memory");
	return flags;
}

static inline void cli(void)
{
	asm volatile("cli" : : : "memory");
}

static inline void sti(void)
{
	asm volatile("sti" : : : "memory");
}

static inline void sti_hlt(void)
{
	asm volatile("sti; hlt" : : : "memory");
}

static inline void hlt(void)
{
	asm volatile("hlt" : : : "memory");
}

static inline void stac(void)
{
	asm volatile("stac" : : : "memory", "cc");
}

static inline void clac(void)
{
	asm volatile("clac" : : : "memory", "cc");
}

static inline void lgdt(const struct descriptor_table *table)
{
	asm volatile("lgdt %0\n\t"
		     "pushq %1\n\t"
		     "leaq 1f(%%rip), %%rax\n\t"
		     "pushq %%rax\n\t"
		     "lretq\n"
		     "1:\tmov %2, %%ds\n\t"
		     "mov %2, %%es\n\t"
		     "mov %2, %%ss\n\t"
		     "mov %3, %%fs\n\t"
		     "mov %3, %%gs"
		     :
		     : "m"(*table), "i"(SELECTOR_CODE), "r"(SELECTOR_DATA), "r"(0)
		     : "rax", "memory");
}

static inline void lidt(const struct descriptor_table *table)
{
	asm volatile("lidt %0" : : "m"(*table) : "memory");
}

static inline void ltr(u16 selector)
{
	asm volatile("ltr %0" : : "r"(selector) : "memory");
}

#define PORT_IN(bits, suffix)                                            \
	static inline u##bits in##bits(u16 port)                         \
	{                                                                \
		u##bits value;                                           \
		asm volatile("in" suffix " %1, %0" : "=a"(value) : "Nd"(port) : "memory"); \
		return value;                                            \
	}
PORT_IN(8, "b")
PORT_IN(16, "w")
PORT_IN(32, "l")

static inline void out8(u16 port, u8 value)
{
	asm volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void out16(u16 port, u16 value)
{
	asm volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline u32 mmio_read(u64 va, unsigned width)
{
	return width == 4 ? *(volatile u32 *)va : width == 2 ? *(volatile u16 *)va : *(volatile u8 *)va;
}

static inline void mmio_write(u64 va, unsigned width, u8 value)
{
	if (width == 4)
		*(volatile u32 *)va = value;
	else if (width == 2)
		*(volatile u16 *)va = value;
	else
		*(volatile u8 *)va = value;
}

static inline u32 xapic_read(u32 reg)
{
	return *(volatile u32 *)(DEVICE_MAP + reg);
}

static inline void xapic_write(u32 reg, u32 value)
{
	*(volatile u32 *)(DEVICE_MAP + reg) = value;
}

static inline void xapic_icr(u32 hw_id, u32 command)
{
	while (xapic_read(APIC_ICR) & ICR_BUSY)
		pause();
	xapic_write(APIC_ICR_HIGH, hw_id << 24);
	/* Compiler barrier: what the target is to see is stored before; the uncached store itself is ordered after it. */
	asm volatile("" : : : "memory");
	xapic_write(APIC_ICR, command);
}

static inline void x2apic_icr(u32 hw_id, u32 command)
{
	wrmsr(MSR_X2APIC + APIC_ICR / 16, (u64)hw_id << 32 | command);
}

#endif
