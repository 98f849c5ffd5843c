/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions of x86 that act on the TLB, by rule number (docs/model.md). All act on the current CPU at once, without a step:
 * steps are insn.c's.
 */
#ifndef SIM_X86_H
#define SIM_X86_H

#include "sim/tlb.h"

#define MODEL_PGE (1ull << 7)
#define MODEL_PCIDE (1ull << 17)
#define MODEL_SMEP (1ull << 20)
#define MODEL_NOFLUSH (1ull << 63)
#define MODEL_TCE (1ull << 15)
#define CANONICAL(va) ((s64)((u64)(va) << 16) >> 16 == (s64)(va))

/* What an instruction raises instead of acting. */
enum fault { NO_FAULT, RAISES_GP, RAISES_UD };

/* --- memory.c --- */
void memory_store(u64 *at, u64 value); /* buffered */

/* --- invalidate.c --- */
enum fault tlb_invlpg(u64 va);
enum fault tlb_invpcid(unsigned type, u64 descriptor, u64 va); /* descriptor: the first 64 bits of it */
enum fault tlb_write_cr3(u64 value);
enum fault tlb_write_cr4(u64 value);
enum fault tlb_write_efer(u64 value);
enum fault tlb_invlpgb(u64 rax, u32 ecx, u32 edx);
enum fault tlb_tlbsync(void);

/* port.c: the kernel's handler of #UD at INVLPGB, or TLBSYNC if `sync`. False: it does not emulate them. */
bool sched_undefined(bool sync, u64 rax, u32 ecx, u32 edx);

#endif
