/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions of arch/arm64/insn.h as calls into the model, and forms of TLBI that the port does not use. Those that the
 * simulated part of the kernel never reaches are declared only: a use would not link.
 */
#ifndef MACHINE_INSN_H
#define MACHINE_INSN_H

#include <machine/instructions.h>
#include <machine/primitives.h>

#define TLBI(name, op)                          \
	static inline void name(u64 operand)    \
	{                                       \
		sim_tlbi(op, operand);          \
	}
#define TLBI_FORMS(suffix, scope)                                      \
	TLBI(tlbi_vae1##suffix, TLBI_VA + scope)                       \
	TLBI(tlbi_vale1##suffix, TLBI_VA_LAST + scope)                 \
	TLBI(tlbi_vaae1##suffix, TLBI_VA_ANY + scope)                  \
	TLBI(tlbi_vaale1##suffix, TLBI_VA_ANY_LAST + scope)            \
	TLBI(tlbi_aside1##suffix, TLBI_ASID + scope)                   \
	TLBI(tlbi_rvae1##suffix, TLBI_RANGE + TLBI_VA + scope)         \
	TLBI(tlbi_rvale1##suffix, TLBI_RANGE + TLBI_VA_LAST + scope)   \
	TLBI(tlbi_rvaae1##suffix, TLBI_RANGE + TLBI_VA_ANY + scope)    \
	TLBI(tlbi_rvaale1##suffix, TLBI_RANGE + TLBI_VA_ANY_LAST + scope) \
	static inline void tlbi_vmalle1##suffix(void)                  \
	{                                                              \
		sim_tlbi(TLBI_ALL + scope, 0);                         \
	}
TLBI_FORMS(, TLBI_LOCAL)
TLBI_FORMS(is, TLBI_INNER)
TLBI_FORMS(os, TLBI_OUTER)

#define CALL(type, name, called)                \
	static inline type name(void)           \
	{                                       \
		return called;                  \
	}
CALL(u64, read_ttbr0, sim_read_ttbr0())
CALL(u64, read_tcr, sim_read_tcr())
CALL(u64, read_cntvct, sim_clock())
CALL(void, dmb_ish, sim_fence())
CALL(void, dsb_ish, sim_dsb(DSB_ISH))
CALL(void, dsb_ishst, sim_dsb(DSB_ISH | DSB_STORES))
CALL(void, dsb_nsh, sim_dsb(DSB_NSH))
CALL(void, dsb_nshst, sim_dsb(DSB_NSH | DSB_STORES))
CALL(void, dsb_osh, sim_dsb(DSB_OSH))
CALL(void, dsb_sy, sim_dsb(DSB_OSH))
CALL(void, isb, sim_isb())
CALL(void, wfi, sim_wfi())
CALL(bool, irqs_masked, sim_irqs_masked())
CALL(void, mask_irqs, sim_mask_irqs())
CALL(void, unmask_irqs, sim_unmask_irqs())

static inline void yield(void)
{
}

static inline void write_ttbr0(u64 value)
{
	sim_write_ttbr0(value);
}

static inline void write_icc_sgi1r(u64 value)
{
	sim_sgi1r(value);
}

static inline u32 mmio_read(u64 va)
{
	return sim_mmio_read(va);
}

static inline void mmio_write(u64 va, u32 value)
{
	sim_mmio_write(va, value);
}

#endif
