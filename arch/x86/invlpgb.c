/* SPDX-License-Identifier: BSD-2-Clause */
/* Coding and checking of INVLPGB's operands: invlpgb.h. No state. */
#include "arch/x86/invlpgb.h"

#define SHIFT_4K 12
#define SHIFT_2M 21

struct invlpgb invlpgb_all(u64 flags, unsigned pcid)
{
	return (struct invlpgb){ .rax = flags, .edx = pcid << INVLPGB_PCID_SHIFT };
}

struct invlpgb invlpgb_next(struct va *start, u64 *pages, unsigned shift, unsigned max, u64 flags, unsigned pcid)
{
	u64 n = shift > SHIFT_2M ? 1 : MIN(MIN(*pages, (u64)max), (u64)INVLPGB_COUNT + 1);
	struct invlpgb op = {
		/* The low bits are flags: an address that is not aligned would set some. */
		.rax = ALIGN_DOWN(start->raw, 1ull << SHIFT_4K) | INVLPGB_VA | flags,
		.ecx = (u32)(n - 1) | (shift == SHIFT_2M ? INVLPGB_STRIDE_2M : 0),
		.edx = pcid << INVLPGB_PCID_SHIFT,
	};

	*start = va_add(*start, n << shift);
	*pages -= n;
	return op;
}

const char *invlpgb_fault(const struct invlpgb *op, unsigned max, bool pcide)
{
	if (op->rax & INVLPGB_RAX_ZERO || op->ecx & INVLPGB_ECX_ZERO || op->edx & INVLPGB_EDX_ZERO)
		return "a bit that must be zero is set";
	if ((op->ecx & INVLPGB_COUNT) >= max)
		return "more pages than CPUID allows";
	if (op->edx >> INVLPGB_PCID_SHIFT && !pcide)
		return "a PCID while CR4.PCIDE is clear";
	return NULL;
}
