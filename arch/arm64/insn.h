/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam between the port and the machine: one instruction each. What is built of them (arch/arm64) is portable C and doesn't
 * know who executes them: <machine/insn.h> is inline assembly on metal.
 */
#ifndef ARCH_ARM64_INSN_H
#define ARCH_ARM64_INSN_H

#include "arch/arm64/regs.h"
#include "types.h"

/* Translations, on this CPU only (Arm ARM D8.13). Operands as the instruction takes them; done when a DSB is. */
static inline void tlbi_vae1(u64 operand); /* one page of an ASID, or a global one; its walk caches */
static inline void tlbi_vale1(u64 operand); /* ... the leaf alone */
static inline void tlbi_vaae1(u64 operand); /* ... under every ASID */
static inline void tlbi_aside1(u64 operand); /* all of an ASID but global entries */
static inline void tlbi_vmalle1(void); /* everything */
static inline void tlbi_rvae1(u64 operand); /* a range (FEAT_TLBIRANGE, else undefined) */
static inline void tlbi_rvale1(u64 operand);

/*
 * The same on every CPU of the inner shareable domain. VALE1: the leaf alone, walk caches stay. R: ranges (FEAT_TLBIRANGE, else
 * undefined).
 */
static inline void tlbi_vae1is(u64 operand);
static inline void tlbi_vale1is(u64 operand);
static inline void tlbi_vaae1is(u64 operand);
static inline void tlbi_aside1is(u64 operand);
static inline void tlbi_vmalle1is(void);
static inline void tlbi_rvae1is(u64 operand);
static inline void tlbi_rvale1is(u64 operand);
static inline void tlbi_rvaae1is(u64 operand);

/* ... and of the outer shareable domain (FEAT_TLBIOS, else undefined). Not used, but measured. */
static inline void tlbi_vae1os(u64 operand);
static inline void tlbi_vale1os(u64 operand);
static inline void tlbi_aside1os(u64 operand);
static inline void tlbi_vmalle1os(void);
static inline void tlbi_rvae1os(u64 operand);
static inline void tlbi_rvale1os(u64 operand);

static inline u64 read_ttbr0(void);
static inline void write_ttbr0(u64 value); /* root and ASID; in use after an ISB */
static inline u64 read_tcr(void);

/* Order. DSB waits for completion, walks included. ISHST: of stores; ISH, NSH, SY: of TLBIs as well. */
static inline void dmb_ish(void);
static inline void dsb_ish(void);
static inline void dsb_ishst(void);
static inline void dsb_nsh(void);
static inline void dsb_sy(void);
static inline void isb(void);
static inline void yield(void);
static inline void wfi(void);

/* Interrupts, the I bit of PSTATE. */
static inline bool irqs_masked(void);
static inline void mask_irqs(void);
static inline void unmask_irqs(void);

/* Devices: one access of that size; ordered among themselves, not with memory. */
static inline u32 mmio_read(u64 va);
static inline void mmio_write(u64 va, u32 value);

static inline void write_icc_sgi1r(u64 value); /* sends; not ordered after stores, which a DSB is for */

/* Time, and this CPU's cycles (FEAT_PMUv3). Not ordered after earlier instructions, which an ISB is for. */
static inline u64 read_cntvct(void);
static inline u64 read_pmccntr(void);

#include <machine/insn.h>

#endif
