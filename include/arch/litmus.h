/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: single instructions, and stores to page tables that nothing goes with, in whatever order a litmus shape asks for
 * (tests/litmus/), wrong ones too. Nobody else uses it (a lint holds that): translations are taken away by mm/gather.h.
 */
#ifndef ARCH_LITMUS_H
#define ARCH_LITMUS_H

#include "arch/pte.h"
#include "types.h"

enum litmus_isa { LITMUS_X86, LITMUS_ARM64, NR_LITMUS_ISAS };

enum litmus_isa litmus_isa(void); /* of this port */

/* Those for an address take one page of the loaded tag. */
enum litmus_insn {
	INSN_DSB, /* arm64: DSB ISH */
	INSN_ISB,
	INSN_TLBI, /* VAE1 */
	INSN_TLBI_LAST, /* VALE1 */
	INSN_TLBI_IS, /* VAE1IS */
	INSN_TLBI_LAST_IS, /* VALE1IS */
	INSN_MFENCE, /* x86 */
	INSN_INVLPG,
	NR_LITMUS_INSNS
};

bool litmus_has(enum litmus_insn insn); /* is it one of this port's? */
void litmus_insn(enum litmus_insn insn, struct va va);

/* One plain store: no order, no flush, whatever was there. */
void litmus_store_entry(struct pte_slot *slot, struct pte pte);

#endif
