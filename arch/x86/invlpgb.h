/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands of INVLPGB, as pure functions. (AMD APM vol. 3, INVLPGB; limit of the count: CPUID 8000_0008 EDX[15:0])
 *
 *	RAX 63:12 virtual address   RAX 5:0 which fields count, and what is spared   RAX 11:6 zero
 *	ECX 31    step: 2 MiB, else 4 KiB   ECX 30:16 zero   ECX 15:0 pages after the first
 *	EDX 31:28 zero   EDX 27:16 PCID   EDX 15:0 ASID of a guest, 0 = the host
 *
 * A field that doesn't count matches anything. A step invalidates the one translation that it meets, of whatever size: with 2 MiB
 * steps over 4 KiB leaves 511 of 512 would stay.
 */
#ifndef ARCH_X86_INVLPGB_H
#define ARCH_X86_INVLPGB_H

#include "types.h"

#define INVLPGB_VA 1
#define INVLPGB_PCID 2
#define INVLPGB_ASID 4
#define INVLPGB_GLOBALS 8 /* global entries too */
#define INVLPGB_FINAL_ONLY 16 /* walk caches stay */
#define INVLPGB_NESTED 32
#define INVLPGB_RAX_ZERO 0xfc0u
#define INVLPGB_STRIDE_2M (1u << 31)
#define INVLPGB_ECX_ZERO 0x7fff0000u
#define INVLPGB_COUNT 0xffffu
#define INVLPGB_EDX_ZERO 0xf0000000u
#define INVLPGB_PCID_SHIFT 16
#define INVLPGB_GUEST_ASID 0xffffu

struct invlpgb {
	u64 rax;
	u32 ecx, edx;
};

/* No address: all that `flags` and `pcid` select. */
struct invlpgb invlpgb_all(u64 flags, unsigned pcid);

/*
 * The next instruction of those that cover *pages > 0 pages of 1 << shift bytes from *start, which is aligned to that; both are
 * moved on past what it covers. `max`: pages that one instruction may cover, at least 1. Larger steps than 2 MiB have no
 * encoding: one page each.
 */
struct invlpgb invlpgb_next(struct va *start, u64 *pages, unsigned shift, unsigned max, u64 flags, unsigned pcid);

/* NULL, or why the manual has it raise #GP; `pcide`: CR4.PCIDE is set. */
const char *invlpgb_fault(const struct invlpgb *op, unsigned max, bool pcide);

#endif
