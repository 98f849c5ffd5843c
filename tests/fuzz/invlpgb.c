/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/x86/invlpgb.c */
/*
 * INVLPGB's operands against a slow reference: every page of the range, by address, in the order in which instructions name them.
 * Input: start, pages, size of leaves, limit of this CPU, flags, PCID.
 */
#include "arch/x86/invlpgb.h"
#include "fuzz.h"

#define MAX_PAGES 2000

void fuzz(const u8 *data, size_t n)
{
	static const unsigned shifts[] = { 12, 21, 30 };
	struct fuzz_input in = { data, n };
	u64 first = fuzz_take(&in, 8), left = fuzz_take(&in, 2) % MAX_PAGES;
	unsigned shift = shifts[fuzz_take(&in, 1) % ARRAY_SIZE(shifts)], max = (unsigned)fuzz_take(&in, 2) + 1;
	u64 flags = fuzz_take(&in, 1) & (INVLPGB_GLOBALS | INVLPGB_FINAL_ONLY);
	unsigned pcid = (unsigned)fuzz_take(&in, 2) & 0xfff;
	struct va at = VA(ALIGN_DOWN(first, 1ull << shift));
	u64 next = at.raw;

	while (left) {
		u64 before = left, i, count, step;
		struct invlpgb op = invlpgb_next(&at, &left, shift, max, flags | INVLPGB_PCID, pcid);

		count = (op.ecx & 0xffff) + 1;
		step = op.ecx >> 31 ? 1ull << 21 : 4096;
		EXPECT(!invlpgb_fault(&op, max, true));
		EXPECT(op.edx == pcid << 16 && (op.rax & 0xfff) == (flags | INVLPGB_PCID | INVLPGB_VA));
		EXPECT(count == before - left && count <= max && (count == 1 || step == 1ull << shift));
		for (i = 0; i < count; i++, next += 1ull << shift)
			EXPECT((op.rax & ~0xfffull) + i * step == next);
		EXPECT(at.raw == next);
	}
}
