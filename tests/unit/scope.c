/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/shootdown/scope_ceiling.c */
/* Scope "ceiling": never less is flushed than was asked for, and everything exactly when that is more than the ceiling. */
#include "arch/platform.h"
#include "mm/shootdown/strategy.h"
#include "unit.h"

extern const struct choice choice_ceiling;

/* Pages of 1 << shift bytes that [start, end) touches, counted one by one. */
static u64 pages_touched(u64 start, u64 end, unsigned shift)
{
	u64 page, n = 0;

	for (page = start >> shift; page << shift < end; page++)
		n++;
	return n;
}

static void expect_chosen(u64 start, u64 end, unsigned shift, u64 ceiling)
{
	struct request req = { .start = VA(start), .end = VA(end), .stride_shift = shift };
	u64 pages = pages_touched(start, end, shift), stride = 1ull << shift;

	choice_ceiling.scope->choose(&req, ceiling);
	EXPECT_EQ(req.full, pages > ceiling);
	EXPECT_EQ(req.stride_shift, shift);
	EXPECT(req.start.raw <= start && req.end.raw >= end);
	EXPECT(start - req.start.raw < stride && req.end.raw - end < stride);
	EXPECT(req.start.raw % stride == 0 && req.end.raw % stride == 0);
	EXPECT_EQ((req.end.raw - req.start.raw) >> shift, pages);
}

/* Every ceiling, ranges of about that many pages, aligned or not, from any page. */
UNIT_TEST(ceiling_of_any_range)
{
	static const unsigned shifts[] = { PAGE_SHIFT, LARGE_SHIFT };
	u64 seed = 11, ceiling, start, pages, bytes, stride;
	unsigned i, round;

	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		stride = 1ull << shifts[i];
		for (ceiling = 0; ceiling <= 1024; ceiling++) {
			for (round = 0; round < 20 && !unit_failures(); round++) {
				start = random_of(&seed, 1u << 20) * stride + random_of(&seed, 2) * random_of(&seed, stride);
				pages = ceiling + random_of(&seed, 5);
				bytes = (pages > 2 ? pages - 2 : 1) * stride - random_of(&seed, 2) * random_of(&seed, stride);
				expect_chosen(start, start + bytes, shifts[i], ceiling);
			}
		}
	}
}

/* The borders by hand: one page more than the ceiling is too many, one byte more is a page more. */
UNIT_TEST(ceiling_borders)
{
	u64 base = 0x7f1234567000;

	expect_chosen(base, base + 33 * PAGE_SIZE, PAGE_SHIFT, 33);
	expect_chosen(base, base + 34 * PAGE_SIZE, PAGE_SHIFT, 33);
	expect_chosen(base, base + 33 * PAGE_SIZE + 1, PAGE_SHIFT, 33);
	expect_chosen(base + PAGE_SIZE - 1, base + 33 * PAGE_SIZE + 1, PAGE_SHIFT, 33);
	expect_chosen(base, base + 1, PAGE_SHIFT, 0);
	expect_chosen(base + LARGE_SIZE - PAGE_SIZE, base + LARGE_SIZE + PAGE_SIZE, LARGE_SHIFT, 1);
	expect_chosen(USER_END - PAGE_SIZE, USER_END, PAGE_SHIFT, 1);
	expect_chosen(0xffffc90000000000, 0xffffc90000200000, PAGE_SHIFT, 512);
}

/* A request for everything stays one, whatever its range. */
UNIT_TEST(ceiling_full_stays_full)
{
	struct request req = { .start = VA(1), .end = VA(2), .stride_shift = PAGE_SHIFT, .full = true };

	choice_ceiling.scope->choose(&req, 1024);
	EXPECT(req.full);
}
