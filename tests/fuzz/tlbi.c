/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/arm64/tlbi.c */
/*
 * TLBI's operands against a slow reference: the pages that each instruction names by the manual's bits follow each other and are
 * the range. Input: start, pages, ASID, whether there is a hint, of which level.
 */
#include "arch/arm64/tlbi.h"
#include "fuzz.h"

static u64 pages_of(struct tlbi op)
{
	return op.range ? ((op.operand >> 39 & 31) + 1) << (5 * (op.operand >> 44 & 3) + 1) : 1;
}

void fuzz(const u8 *data, size_t n)
{
	struct fuzz_input in = { data, n };
	u64 start = fuzz_take(&in, 8), left = fuzz_take(&in, 3) % (TLBI_RANGE_MAX + 1);
	unsigned asid = (unsigned)fuzz_take(&in, 2), level = fuzz_take(&in, 1) & 3, unit = level ? 9 * (3 - level) : 0;
	struct va at;
	u64 next;

	start = ALIGN_DOWN(start, 1ull << (12 + unit));
	left &= -(1ull << unit);
	at = VA(start);
	for (next = start >> 12; left; ) {
		u64 before = left, mask;
		struct tlbi op = tlbi_next(&at, &left, asid, level);
		u64 pages = pages_of(op);

		mask = op.range ? 0x1fffffffff : 0xfffffffffff;
		EXPECT(op.operand >> 48 == asid);
		EXPECT((op.operand & mask) == (next & mask));
		EXPECT(op.range ? (op.operand >> 46 & 3) == 1 && (op.operand >> 37 & 3) == level :
				  (op.operand >> 44 & 15) == (level ? 4 + level : 0));
		EXPECT(before - left == pages && pages <= before);
		next += pages;
		EXPECT(at.raw == next << 12);
	}
}
