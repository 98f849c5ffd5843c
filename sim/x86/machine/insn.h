/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions of arch/x86/insn.h as calls into the model. Those that the simulated part of the kernel never reaches are
 * declared only: a use would not link.
 */
#ifndef MACHINE_INSN_H
#define MACHINE_INSN_H

#include <machine/instructions.h>
#include <machine/primitives.h>

static inline void invlpg(struct va va)
{
	sim_invlpg(va.raw);
}

static inline u64 read_cr3(void)
{
	return sim_read_cr3();
}

static inline void write_cr3(u64 value)
{
	sim_write_cr3(value);
}

static inline u64 read_cr4(void)
{
	return sim_read_cr4();
}

static inline void write_cr4(u64 value)
{
	sim_write_cr4(value);
}

static inline void invpcid(unsigned type, u64 pcid, struct va va)
{
	sim_invpcid(type, pcid, va.raw);
}

static inline void invlpgb(u64 rax, u32 ecx, u32 edx)
{
	sim_invlpgb(rax, ecx, edx);
}

static inline void tlbsync(void)
{
	sim_tlbsync();
}

static inline u64 rdmsr(u32 msr)
{
	return sim_rdmsr(msr);
}

static inline void wrmsr(u32 msr, u64 value)
{
	sim_wrmsr(msr, value);
}

static inline void mfence(void)
{
	sim_fence();
}

static inline void lfence(void)
{
}

static inline void locked_add_stack(void)
{
	sim_fence();
}

static inline u64 rdtsc(void)
{
	return sim_clock();
}

static inline u64 read_flags(void)
{
	return sim_read_flags();
}

static inline void cli(void)
{
	sim_cli();
}

static inline void sti(void)
{
	sim_sti();
}

static inline void xapic_icr(u32 hw_id, u32 command)
{
	sim_xapic_icr(hw_id, command);
}

static inline void x2apic_icr(u32 hw_id, u32 command)
{
	sim_x2apic_icr(hw_id, command);
}

#endif
