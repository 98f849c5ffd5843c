/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The TLB of x86: accesses, fills, and the instructions that invalidate. By rule number (docs/model.md). All act on the current CPU
 * at once, without a step: steps are x86/insn.c's.
 */
#ifndef SIM_X86_TLB_H
#define SIM_X86_TLB_H

#include "sim/model.h"

#define MODEL_PGE (1ull << 7)
#define MODEL_PCIDE (1ull << 17)
#define MODEL_SMEP (1ull << 20)
#define MODEL_NOFLUSH (1ull << 63)
#define MODEL_TCE (1ull << 15)
#define CANONICAL(va) ((s64)((u64)(va) << 16) >> 16 == (s64)(va))
#define VA_BITS 0x0000ffffffffffffull

/* What an instruction raises instead of acting. */
enum fault { NO_FAULT, RAISES_GP, RAISES_UD };

struct model_access {
	u64 value;
	bool fault;
};

/* --- access.c --- */
struct model_access tlb_access(u64 va, bool store, u64 value);
void tlb_spontaneous(unsigned cpu, u64 va); /* a walker of `cpu` fills va if it can */

/* --- walk.c --- */
u16 tlb_pcid(const struct model_cpu *c);
bool tlb_covers(const struct tlb_entry *e, u64 va);
bool tlb_walk(struct model_cpu *c, u64 va, struct tlb_entry *out); /* false: nothing that could be cached. Sets A on its way */
u64 tlb_tables_say(u64 root, u64 va); /* leaf entry with the rights of all levels, read without effect; 0: not present */

/* --- invalidate.c --- */
void tlb_invalidate(struct model_cpu *c, const struct invalidation *what);
enum fault tlb_invlpg(u64 va);
enum fault tlb_invpcid(unsigned type, u64 descriptor, u64 va); /* descriptor: the first 64 bits of it */
enum fault tlb_write_cr3(u64 value);
enum fault tlb_write_cr4(u64 value);
enum fault tlb_write_efer(u64 value);
enum fault tlb_invlpgb(u64 rax, u32 ecx, u32 edx);
enum fault tlb_tlbsync(void);
void tlb_complete(unsigned index); /* model.outstanding[index] takes effect */

#endif
