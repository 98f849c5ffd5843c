/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/shootdown/receive.c */
/* What a CPU that flushes for itself is told of the size of the leaves: only what is true of all that has to go. */
#include "arch/tlb.h"
#include "mm/switch.h"
#include "unit.h"

static struct strategy strategy;
static bool told;
static unsigned ranges, kernel_ranges, others;

void tlb_flush_range(struct va start, u64 pages, unsigned stride_shift, bool one_size)
{
	(void)start, (void)pages, (void)stride_shift;
	told = one_size;
	ranges++;
}

void tlb_flush_kernel_range(struct va start, u64 pages, unsigned stride_shift, bool one_size)
{
	(void)start, (void)pages, (void)stride_shift;
	told = one_size;
	kernel_ranges++;
}

void tlb_flush_tag(struct pa root, struct tag tag)
{
	(void)root, (void)tag;
	others++;
}

void tlb_flush_everything(void)
{
	others++;
}

void switch_tag(struct mm *mm)
{
	(void)mm;
	others++;
}

void switch_from_lazy(void)
{
	others++;
}

unsigned loaded_asid(void)
{
	return 1;
}

static struct due due(struct mm *mm, const struct request *req)
{
	(void)mm, (void)req;
	return (struct due){ .what = DUE_RANGE };
}

static void flushed(struct mm *mm, u64 gen)
{
	(void)mm, (void)gen;
}

static const struct tagging tagging = { .due = due, .flushed = flushed };

static bool is_told(u32 policies, struct request req)
{
	static struct mm mm;

	strategy.policies = policies;
	strategy.tagging = &tagging;
	machine.shootdown.strategy = &strategy;
	store_relaxed(&this_cpu()->tlb.loaded, (u64)&mm);
	req.mm = &mm;
	req.start = VA(0x1000);
	req.end = VA(0x3000);
	req.stride_shift = PAGE_SHIFT;
	told = false;
	receive_request(&req);
	return told;
}

#define REQUEST(...) ((struct request){ __VA_ARGS__ })

UNIT_TEST(receive_hints)
{
	EXPECT(is_told(POLICY_HINT, REQUEST()));
	EXPECT(!is_told(POLICY_HINT, REQUEST(.mixed = true)));
	EXPECT(!is_told(POLICY_HINT, REQUEST(.freed_tables = true)));
	EXPECT(!is_told(~(u32)POLICY_HINT, REQUEST()));
	EXPECT_EQ(ranges, 4);
	EXPECT(is_told(POLICY_HINT, REQUEST(.kernel = true)));
	EXPECT(!is_told(POLICY_HINT, REQUEST(.kernel = true, .mixed = true)));
	EXPECT(!is_told(0, REQUEST(.kernel = true)));
	EXPECT_EQ(kernel_ranges, 3);
	EXPECT_EQ(others, 0);
	EXPECT(!is_told(POLICY_HINT, REQUEST(.kernel = true, .freed_tables = true)));
	EXPECT_EQ(others, 1);
}
