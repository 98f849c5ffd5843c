/* SPDX-License-Identifier: BSD-2-Clause */
/* include/arch/litmus.h on x86. No state. */
#include "arch/litmus.h"

#include "arch/x86/insn.h"

enum litmus_isa litmus_isa(void)
{
	return LITMUS_X86;
}

static void do_mfence(struct va va)
{
	(void)va;
	mfence();
}

static void do_invlpg(struct va va)
{
	invlpg(va);
}

static void (*const insns[NR_LITMUS_INSNS])(struct va va) = {
	[INSN_MFENCE] = do_mfence,
	[INSN_INVLPG] = do_invlpg,
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
