/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * INVLPGB and TLBSYNC on CPUs that have neither, so that all of the code around them runs: the handler of #UD decodes the opcodes
 * and operands, INVLPGB queues, TLBSYNC has every CPU do what this CPU queued, by interrupts, and waits. Not in handlers of calls,
 * nor while a call of this CPU is under way. Interrupts are off. State: struct emulation of each CPU.
 */
#ifndef ARCH_X86_EMULATE_H
#define ARCH_X86_EMULATE_H

#include "arch/broadcast.h"
#include "arch/x86/invlpgb.h"

#define EMULATED_QUEUE 64

struct emulation {
	struct invlpgb queue[EMULATED_QUEUE];
	unsigned n; /* more than there is room for: everything goes */
	struct emulated so_far;
};

/* NULL, or why it raises #GP; nothing is done then. */
const char *emulate_invlpgb(const struct invlpgb *op);
void emulate_tlbsync(void);

#endif
