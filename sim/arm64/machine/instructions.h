/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of arm64 that the model executes. Each is a step of the current CPU. */
#ifndef MACHINE_INSTRUCTIONS_H
#define MACHINE_INSTRUCTIONS_H

#include "types.h"

/* What a TLBI names, and whom it reaches: one of each, added. */
enum tlbi_op {
	TLBI_VA = 0, /* VAE1 */
	TLBI_VA_LAST = 1, /* VALE1 */
	TLBI_VA_ANY = 2, /* VAAE1 */
	TLBI_VA_ANY_LAST = 3, /* VAALE1 */
	TLBI_ASID = 4, /* ASIDE1 */
	TLBI_ALL = 5, /* VMALLE1 */
	TLBI_WHAT = 7,
	TLBI_RANGE = 8, /* R: of the VA forms */
	TLBI_LOCAL = 0, /* no suffix */
	TLBI_INNER = 16, /* IS */
	TLBI_OUTER = 32, /* OS */
	TLBI_SCOPE = 48,
};

void sim_tlbi(enum tlbi_op op, u64 operand);

/* Domains of a barrier; DSB waits for TLBIs only if it is for loads and stores both. */
enum dsb { DSB_NSH, DSB_ISH, DSB_OSH, DSB_STORES = 4 };

void sim_dsb(enum dsb kind);
void sim_isb(void);
u64 sim_read_ttbr0(void);
void sim_write_ttbr0(u64 value);
u64 sim_read_tcr(void);
bool sim_irqs_masked(void);
void sim_mask_irqs(void);
void sim_unmask_irqs(void);
void sim_wfi(void);
void sim_sgi1r(u64 value);
u32 sim_mmio_read(u64 va);
void sim_mmio_write(u64 va, u32 value);

#endif
