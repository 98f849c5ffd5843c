/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/litmus.h on arm64. No state. */
#include "arch/litmus.h"

#include "arch/arm64/insn.h"
#include "arch/arm64/tlbi.h"

enum litmus_isa litmus_isa(void)
{
	return LITMUS_ARM64;
}

/* One that takes no operand. */
#define NO_OPERAND(name)                    \
	static void do_##name(struct va va) \
	{                                   \
		(void)va;                   \
		name();                     \
	}
NO_OPERAND(dsb_ish)
NO_OPERAND(isb)

#define OF_PAGE(name)                                                                \
	static void do_##name(struct va va)                                          \
	{                                                                            \
		name(tlbi_page((unsigned)(read_ttbr0() >> TTBR_ASID_SHIFT), 0, va)); \
	}
OF_PAGE(tlbi_vae1)
OF_PAGE(tlbi_vale1)
OF_PAGE(tlbi_vae1is)
OF_PAGE(tlbi_vale1is)

static void (*const insns[NR_LITMUS_INSNS])(struct va va) = {
	[INSN_DSB] = do_dsb_ish,	   [INSN_ISB] = do_isb,
	[INSN_TLBI] = do_tlbi_vae1,	   [INSN_TLBI_LAST] = do_tlbi_vale1,
	[INSN_TLBI_IS] = do_tlbi_vae1is,   [INSN_TLBI_LAST_IS] = do_tlbi_vale1is,
};

bool litmus_has(enum litmus_insn insn)
{
	return insns[insn];
}

void litmus_insn(enum litmus_insn insn, struct va va)
{
	insns[insn](va);
}

void litmus_store_entry(struct pte_slot *slot, struct pte pte)
{
	store_relaxed(&slot->word, pte.raw);
}
