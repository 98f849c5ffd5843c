/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/arm64/tlbi.c */
/*
 * Operands of TLBI: what a series of them invalidates, read from the bits as the manual has them and not with the coder's own
 * names, is the range, all of it and nothing else.
 */
#include "arch/arm64/tlbi.h"
#include "unit.h"

static const unsigned asids[] = { 0, 1, 0x7f, 0xff, 0x100, 0xabcd, 0xffff };
static const u64 starts[] = { 0, 0x1000, 0x1ff000, 0x7fffffff000, 0xfffe00000000, 0xffff000000000000, 0xffff800080001000 };

static u64 units_of(u64 pages, unsigned scale)
{
	return scale == 3 ? pages >> 16 : pages >> (5 * scale + 1) & 31;
}

/* How many it takes: one for each digit to base 32 (the highest may be 32), and one for an odd page. */
static unsigned needed(u64 pages)
{
	unsigned n = pages & 1, scale;

	for (scale = 0; scale < 4; scale++)
		n += units_of(pages, scale) > 0;
	return n;
}

/* Pages of one instruction, and where it begins, by the manual's bit numbers; false: a field is not as asked. */
static bool decode(struct tlbi op, unsigned asid, unsigned level, u64 *page, u64 *pages)
{
	u64 x = op.operand;

	if (x >> 48 != asid)
		return false;
	if (!op.range) {
		*page = x & 0xfffffffffff;
		*pages = 1;
		return (x >> 44 & 15) == (level ? 4 + level : 0);
	}
	*page = x & 0x1fffffffff;
	*pages = ((x >> 39 & 31) + 1) << (5 * (x >> 44 & 3) + 1);
	return (x >> 46 & 3) == 1 && (x >> 37 & 3) == level;
}

static bool covers(u64 start, u64 pages, unsigned asid, unsigned level)
{
	struct va at = VA(start);
	u64 left = pages, next = start >> 12, page, n, mask, align = level ? 1ull << 9 * (3 - level) : 1;
	unsigned instructions = 0;

	while (left) {
		u64 before = left;
		struct tlbi op = tlbi_next(&at, &left, asid, level);

		mask = op.range ? 0x1fffffffff : 0xfffffffffff;
		if (!decode(op, asid, level, &page, &n) || page != (next & mask) || before - left != n || n > before)
			return false;
		/* A page is the last one; with a level there are whole blocks only. */
		if ((!op.range && left) || page % align || n % align)
			return false;
		next += n;
		if (at.raw != next << 12)
			return false;
		instructions++;
	}
	return next == (start >> 12) + pages && instructions == needed(pages) && instructions <= 5;
}

/* Every count there is, three times, each with another start and ASID in turn. */
UNIT_TEST(tlbi_every_count)
{
	unsigned i, k;
	u64 pages;

	for (i = 0; i < 3 && !unit_failures(); i++) {
		for (pages = 1; pages <= TLBI_RANGE_MAX; pages++) {
			k = (unsigned)pages + i;
			if (!covers(starts[k % ARRAY_SIZE(starts)], pages, asids[k % ARRAY_SIZE(asids)], k % 2 ? 3 : 0)) {
				unit_fail(__FILE__, __LINE__, "%llu pages are not covered", (unsigned long long)pages);
				break;
			}
		}
	}
}

UNIT_TEST(tlbi_every_start_and_asid)
{
	unsigned s, a;
	u64 pages;

	for (s = 0; s < ARRAY_SIZE(starts); s++)
		for (a = 0; a < ARRAY_SIZE(asids); a++)
			for (pages = 1; pages <= 5000; pages++)
				EXPECT(covers(starts[s], pages, asids[a], 3));
}

/* Blocks of 2 MiB and 1 GiB: no page form, and each begins where a block does. */
UNIT_TEST(tlbi_blocks)
{
	u64 blocks;

	for (blocks = 1; blocks <= TLBI_RANGE_MAX >> 9; blocks++)
		EXPECT(covers(0x40000000, blocks << 9, 0x1234, 2));
	for (blocks = 1; blocks <= TLBI_RANGE_MAX >> 18; blocks++)
		EXPECT(covers(0xffff000040000000, blocks << 18, 0x12, 1));
}

/* A hint says where the walk ends: 39 - 9 * level bits are left of the address there, with granules of 4 KiB (Arm ARM D8.2). */
UNIT_TEST(tlbi_levels)
{
	unsigned shift, level;

	for (level = 1; level <= 3; level++)
		EXPECT_EQ(tlbi_level(39 - 9 * level), level);
	for (shift = 0; shift < 64; shift++)
		EXPECT(shift == 12 || shift == 21 || shift == 30 || !tlbi_level(shift));
}

/* More than one range can hold. */
UNIT_TEST(tlbi_more_than_the_largest)
{
	struct va at = VA(0);
	u64 left = TLBI_RANGE_MAX + 3, n, page;

	EXPECT(decode(tlbi_next(&at, &left, 5, 0), 5, 0, &page, &n) && n == TLBI_RANGE_MAX && left == 3);
	EXPECT(decode(tlbi_next(&at, &left, 5, 0), 5, 0, &page, &n) && n == 2 && page == TLBI_RANGE_MAX);
	EXPECT(decode(tlbi_next(&at, &left, 5, 0), 5, 0, &page, &n) && n == 1 && !left);
}

/* Bits that the forms don't have are dropped, and reach no other field. */
UNIT_TEST(tlbi_fields)
{
	EXPECT_EQ(tlbi_asid(0xffff), 0xffff000000000000);
	EXPECT_EQ(tlbi_page(0xff, 0, VA(~0ull)), 0x00ff0fffffffffff);
	EXPECT_EQ(tlbi_page(0xff, 3, VA(0x5000)), 0x00ff700000000005);
	EXPECT_EQ(tlbi_page(0, 2, VA(0)), 0x0000600000000000);
	EXPECT_EQ(tlbi_range(0xabcd, 0, 3, 31, VA(~0ull)), 0xabcd7f9fffffffff);
	EXPECT_EQ(tlbi_range(0, 3, 0, 0, VA(0)), 0x0000406000000000);
}
