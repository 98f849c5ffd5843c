/* SPDX-License-Identifier: BSD-2-Clause */
/* What litmus shapes are written with. Only for the files that declare them: the names are short. */
#ifndef LITMUS_OPS_H
#define LITMUS_OPS_H

#include "tests/litmus/litmus.h"

#define W_ENTRY(slot, entry) { OP_ENTRY, slot, entry }
#define W(word, value) { OP_WRITE, word, value }
#define R(word, reg) { OP_READ, word, reg }
#define T(reg) { OP_ACCESS, reg }
#define FENCE { OP_FENCE }
#define RELOAD { OP_RELOAD }
#define CALL(thread) { OP_CALL, thread }
#define DSB { OP_INSN, INSN_DSB }
#define ISB { OP_INSN, INSN_ISB }
#define TLBI_PE { OP_INSN, INSN_TLBI }
#define TLBI_PE_LAST { OP_INSN, INSN_TLBI_LAST }
#define TLBI_IS { OP_INSN, INSN_TLBI_IS }
#define TLBI_LAST_IS { OP_INSN, INSN_TLBI_LAST_IS }
#define MFENCE { OP_INSN, INSN_MFENCE }
#define INVLPG { OP_INSN, INSN_INVLPG }

#define IS(thread, reg, value) { true, thread, reg, value }

#define ON_X86(verdict, why) [LITMUS_X86] = { verdict, why }
#define ON_ARM64(verdict, why) [LITMUS_ARM64] = { verdict, why }
#define ON_BOTH(verdict, why) ON_X86(verdict, why), ON_ARM64(verdict, why)

#endif
