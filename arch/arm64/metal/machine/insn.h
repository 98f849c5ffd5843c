/* SPDX-License-Identifier: BSD-2-Clause */
/* arch/arm64/insn.h as inline assembly; and what only metal uses. What may fault and is recovered from is in metal/recover.S. */
#ifndef MACHINE_INSN_H
#define MACHINE_INSN_H

#ifndef ARCH_ARM64_INSN_H
#error "include arch/arm64/insn.h"
#endif

#define PLAIN(name, text)                             \
	static inline void name(void)                 \
	{                                             \
		asm volatile(text : : : "memory");    \
	}
PLAIN(dmb_ish, "dmb ish")
PLAIN(dsb_ish, "dsb ish")
PLAIN(dsb_ishst, "dsb ishst")
PLAIN(dsb_nsh, "dsb nsh")
PLAIN(dsb_sy, "dsb sy")
PLAIN(isb, "isb")
PLAIN(yield, "yield")
PLAIN(wfi, "wfi")
PLAIN(mask_irqs, "msr daifset, #2")
PLAIN(unmask_irqs, "msr daifclr, #2")
PLAIN(unmask_serrors, "msr daifclr, #4")
PLAIN(tlbi_vmalle1, "tlbi vmalle1")

#define TLBI(name, op)                                                          \
	static inline void name(u64 operand)                                    \
	{                                                                       \
		asm volatile("tlbi " op ", %0" : : "r"(operand) : "memory");    \
	}
TLBI(tlbi_vae1, "vae1")
TLBI(tlbi_vale1, "vale1")
TLBI(tlbi_vaae1, "vaae1")
TLBI(tlbi_aside1, "aside1")
PLAIN(tlbi_vmalle1is, "tlbi vmalle1is")
TLBI(tlbi_vae1is, "vae1is")
TLBI(tlbi_vale1is, "vale1is")
TLBI(tlbi_vaae1is, "vaae1is")
TLBI(tlbi_aside1is, "aside1is")

/* FEAT_TLBIRANGE and FEAT_TLBIOS, by number: assemblers want an architecture that not all of the kernel is for. */
#define TLBI_NUMBERED(name, crm, op2)                                                              \
	static inline void name(u64 operand)                                                       \
	{                                                                                          \
		asm volatile("sys #0, c8, " crm ", #" op2 ", %0" : : "r"(operand) : "memory");     \
	}
TLBI_NUMBERED(tlbi_rvae1, "c6", "1")
TLBI_NUMBERED(tlbi_rvale1, "c6", "5")
TLBI_NUMBERED(tlbi_rvae1is, "c2", "1")
TLBI_NUMBERED(tlbi_rvaae1is, "c2", "3")
TLBI_NUMBERED(tlbi_rvale1is, "c2", "5")
TLBI_NUMBERED(tlbi_rvae1os, "c5", "1")
TLBI_NUMBERED(tlbi_rvale1os, "c5", "5")
PLAIN(tlbi_vmalle1os, "sys #0, c8, c1, #0")
TLBI_NUMBERED(tlbi_vae1os, "c1", "1")
TLBI_NUMBERED(tlbi_aside1os, "c1", "2")
TLBI_NUMBERED(tlbi_vale1os, "c1", "5")

#define REGISTER_READ(name, reg)                                             \
	static inline u64 name(void)                                         \
	{                                                                    \
		u64 value;                                                   \
		asm volatile("mrs %0, " reg : "=r"(value) : : "memory");     \
		return value;                                                \
	}
#define REGISTER_WRITE(name, reg)                                            \
	static inline void name(u64 value)                                   \
	{                                                                    \
		asm volatile("msr " reg ", %0" : : "r"(value) : "memory");   \
	}
REGISTER_READ(read_ttbr0, "ttbr0_el1")
REGISTER_WRITE(write_ttbr0, "ttbr0_el1")
REGISTER_READ(read_ttbr1, "ttbr1_el1")
REGISTER_READ(read_tcr, "tcr_el1")
REGISTER_READ(read_sctlr, "sctlr_el1")
REGISTER_READ(read_mair, "mair_el1")
REGISTER_READ(read_midr, "midr_el1")
REGISTER_READ(read_mpidr, "mpidr_el1")
REGISTER_READ(read_pfr0, "id_aa64pfr0_el1")
REGISTER_READ(read_isar0, "id_aa64isar0_el1")
REGISTER_READ(read_mmfr0, "id_aa64mmfr0_el1")
REGISTER_READ(read_mmfr1, "id_aa64mmfr1_el1")
REGISTER_READ(read_mmfr2, "id_aa64mmfr2_el1")
REGISTER_READ(read_far, "far_el1")
REGISTER_READ(read_cntvct, "cntvct_el0")
REGISTER_READ(read_dfr0, "id_aa64dfr0_el1")
REGISTER_READ(read_pmccntr, "pmccntr_el0")
REGISTER_WRITE(write_pmcr, "pmcr_el0")
REGISTER_WRITE(write_pmccfiltr, "pmccfiltr_el0")
REGISTER_WRITE(write_pmcntenset, "pmcntenset_el0")
REGISTER_WRITE(write_pmcntenclr, "pmcntenclr_el0")
REGISTER_WRITE(write_pmintenclr, "pmintenclr_el1")
REGISTER_WRITE(write_pmuserenr, "pmuserenr_el0")
REGISTER_READ(read_cntfrq, "cntfrq_el0")
REGISTER_WRITE(write_cntv_tval, "cntv_tval_el0")
REGISTER_WRITE(write_cntv_ctl, "cntv_ctl_el0")
REGISTER_WRITE(write_cntkctl, "cntkctl_el1")
REGISTER_WRITE(write_tpidr, "tpidr_el1")
REGISTER_WRITE(write_tpidrro, "tpidrro_el0")
REGISTER_WRITE(write_vbar, "vbar_el1")

/* GIC version 3's CPU interface, by number: not every assembler has the names. */
REGISTER_READ(read_icc_sre, "s3_0_c12_c12_5")
REGISTER_WRITE(write_icc_sre, "s3_0_c12_c12_5")
REGISTER_WRITE(write_icc_pmr, "s3_0_c4_c6_0")
REGISTER_WRITE(write_icc_ctlr, "s3_0_c12_c12_4")
REGISTER_WRITE(write_icc_igrpen1, "s3_0_c12_c12_7")
REGISTER_WRITE(write_icc_eoir1, "s3_0_c12_c12_1")
REGISTER_WRITE(write_icc_sgi1r, "s3_0_c12_c11_5")

static inline bool irqs_masked(void)
{
	u64 daif;

	asm volatile("mrs %0, daif" : "=r"(daif) : : "memory");
	return daif & PSTATE_I;
}

static inline u32 mmio_read(u64 va)
{
	u32 value;

	asm volatile("ldr %w0, [%1]" : "=r"(value) : "r"(va) : "memory");
	return value;
}

static inline void mmio_write(u64 va, u32 value)
{
	asm volatile("str %w0, [%1]" : : "r"(value), "r"(va) : "memory");
}

static inline u8 mmio_read8(u64 va)
{
	u32 value;

	asm volatile("ldrb %w0, [%1]" : "=r"(value) : "r"(va) : "memory");
	return (u8)value;
}

static inline void mmio_write8(u64 va, u8 value)
{
	asm volatile("strb %w0, [%1]" : : "r"((u32)value), "r"(va) : "memory");
}

static inline u64 mmio_read64(u64 va)
{
	u64 value;

	asm volatile("ldr %0, [%1]" : "=r"(value) : "r"(va) : "memory");
	return value;
}

#endif
