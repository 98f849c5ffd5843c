/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/x86/invlpgb.c */
/*
 * Operands of INVLPGB: what a series of them invalidates, read from the bits as the manual has them and not with the coder's own
 * names, is the range, all of it and nothing else; and no instruction faults.
 */
#include "arch/x86/invlpgb.h"
#include "unit.h"

static const unsigned limits[] = { 1, 2, 8, 4096, 65536 };
static const u64 starts[] = { 0, 0x1000, 0x1ff000, 0x200000, 0x7ffffffff000, 0xffff888000000000, 0xffffffffffe00000, 0x40000000 };

/* Pages of one instruction, by the manual's bit numbers; it must not fault with this limit. */
static u64 decode(const struct invlpgb *op, unsigned max, u64 flags, unsigned pcid, u64 *va, u64 *step)
{
	EXPECT_EQ(op->rax >> 6 & 0x3f, 0);
	EXPECT_EQ(op->ecx >> 16 & 0x7fff, 0);
	EXPECT_EQ(op->edx >> 28, 0);
	EXPECT_EQ(op->edx >> 16 & 0xfff, pcid);
	EXPECT_EQ(op->edx & 0xffff, 0);
	EXPECT_EQ(op->rax & 0x3f, flags | 1);
	EXPECT((op->ecx & 0xffff) < max);
	EXPECT(!invlpgb_fault(op, max, true));
	*va = op->rax >> 12 << 12;
	*step = op->ecx >> 31 ? 2ull << 20 : 4096;
	return (op->ecx & 0xffff) + 1ull;
}

/* Every page of [start, + pages << shift) is met by exactly one step, in order, and no step is anywhere else. */
static void covers(u64 start, u64 pages, unsigned shift, unsigned max, u64 flags, unsigned pcid)
{
	struct va at = VA(start);
	u64 left = pages, next = start, met = 0, instructions = 0;

	while (left) {
		u64 before = left, va, step, n, i;
		struct invlpgb op = invlpgb_next(&at, &left, shift, max, flags, pcid);

		n = decode(&op, max, flags, pcid, &va, &step);
		EXPECT_EQ(before - left, n);
		EXPECT(n == 1 || step == 1ull << shift);
		EXPECT(step == 4096 || shift == 21); /* a large step over large leaves only */
		for (i = 0; i < n; i++, met++, next += 1ull << shift)
			EXPECT_EQ(va + i * step, next);
		instructions++;
		EXPECT_EQ(at.raw, next);
	}
	EXPECT_EQ(met, pages);
	/* No more of them than needed. */
	EXPECT_EQ(instructions, shift > 21 ? pages : (pages + max - 1) / max);
}

UNIT_TEST(invlpgb_covers_the_range_and_nothing_else)
{
	static const unsigned shifts[] = { 12, 21, 30 };
	unsigned s, m, h, pages;

	for (h = 0; h < ARRAY_SIZE(shifts); h++) {
		for (s = 0; s < ARRAY_SIZE(starts); s++) {
			u64 start = ALIGN_DOWN(starts[s], 1ull << shifts[h]);

			for (m = 0; m < ARRAY_SIZE(limits); m++) {
				for (pages = 1; pages <= 20; pages++)
					covers(start, pages, shifts[h], limits[m], 2 | 4, pages);
				for (pages = limits[m] - 1; pages <= limits[m] + 1; pages++)
					covers(start, pages, shifts[h], limits[m], 4 | 8, 0);
				covers(start, 2 * (u64)limits[m], shifts[h], limits[m], 2 | 4 | 16, 4095);
				covers(start, 3 * (u64)limits[m] + 1, shifts[h], limits[m], 2, 0xabc);
			}
		}
	}
}

/* An empty range is no instruction: a count of -1 would be 65536 pages. */
UNIT_TEST(invlpgb_nothing_for_nothing)
{
	covers(0x1000, 0, 12, 8, 2, 1);
}

UNIT_TEST(invlpgb_stray_low_bits_are_no_flags)
{
	struct va at = VA(0x12345fff);
	u64 pages = 1;

	EXPECT_EQ(invlpgb_next(&at, &pages, 12, 8, 2, 1).rax, 0x12345003);
}

UNIT_TEST(invlpgb_without_address)
{
	struct invlpgb one = invlpgb_all(2 | 4, 4095), all = invlpgb_all(4 | 8, 0);

	EXPECT(one.rax == 6 && one.ecx == 0 && one.edx == 4095u << 16);
	EXPECT(all.rax == 12 && all.ecx == 0 && all.edx == 0);
}

static bool faults(u64 rax, u32 ecx, u32 edx, unsigned max, bool pcide)
{
	struct invlpgb op = { rax, ecx, edx };

	return invlpgb_fault(&op, max, pcide);
}

UNIT_TEST(invlpgb_faults_as_in_the_manual)
{
	unsigned bit;

	for (bit = 0; bit < 64; bit++)
		EXPECT_EQ(faults(1ull << bit, 0, 0, 8, true), bit >= 6 && bit < 12);
	for (bit = 0; bit < 32; bit++)
		EXPECT_EQ(faults(1, 1u << bit, 0, 65536, true), bit >= 16 && bit < 31);
	for (bit = 0; bit < 32; bit++)
		EXPECT_EQ(faults(3, 0, 1u << bit, 8, true), bit >= 28);
	for (bit = 1; bit < 16; bit++)
		EXPECT(faults(1, 1u << bit, 0, 1u << bit, true) && !faults(1, 1u << bit, 0, (1u << bit) + 1, true));
	/* PCID 0 is what there is without tags. */
	EXPECT(faults(3, 0, 1 << 16, 8, false) && !faults(3, 0, 0, 8, false));
}
