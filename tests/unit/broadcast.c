/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/shootdown/broadcast.c */
/* What is said of a range that is broadcast: by the strategy's policies, and by what the request is sure of. */
#include "arch/broadcast.h"
#include "mm/shootdown/broadcast.h"
#include "unit.h"

#define NOT_ASKED 0x100u

static unsigned asked, kernel_asked, everything;
static struct strategy strategy;

void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	(void)asid, (void)start, (void)pages, (void)stride_shift;
	asked = how;
}

void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	(void)start, (void)pages, (void)stride_shift;
	kernel_asked = how;
}

void broadcast_everything(void)
{
	everything++;
}

void broadcast_tag(unsigned asid)
{
	(void)asid;
}

void broadcast_all_tags(void)
{
}

void broadcast_sync(void)
{
}

const char *broadcast_hint_missing(void)
{
	return NULL;
}

const char *broadcast_one_by_one_missing(void)
{
	return NULL;
}

const char *broadcast_sync_each_missing(void)
{
	return NULL;
}

static unsigned how(u32 policies, struct request req)
{
	strategy.policies = policies;
	machine.shootdown.strategy = &strategy;
	req.start = VA(0x1000);
	req.end = VA(0x3000);
	req.stride_shift = PAGE_SHIFT;
	asked = kernel_asked = NOT_ASKED;
	broadcast_issue(&req, 1);
	return req.kernel ? kernel_asked : asked;
}

#define REQUEST(...) ((struct request){ __VA_ARGS__ })

/* A hint where the leaves are of one size and no table goes; else none, whoever asks. */
UNIT_TEST(broadcast_hints)
{
	EXPECT_EQ(how(POLICY_HINT, REQUEST()), BROADCAST_HINT);
	EXPECT_EQ(how(POLICY_HINT, REQUEST(.mixed = true)), 0);
	EXPECT_EQ(how(POLICY_HINT, REQUEST(.freed_tables = true)), 0);
	EXPECT_EQ(how(POLICY_HINT, REQUEST(.kernel = true)), BROADCAST_HINT);
	EXPECT_EQ(how(POLICY_HINT, REQUEST(.kernel = true, .mixed = true)), 0);
	EXPECT_EQ(how(0, REQUEST()), 0);
	EXPECT_EQ(everything, 0);
	EXPECT_EQ(how(POLICY_HINT, REQUEST(.kernel = true, .freed_tables = true)), NOT_ASKED);
	EXPECT_EQ(everything, 1);
}

/* The other policies stand beside it, and for themselves. */
UNIT_TEST(broadcast_policies)
{
	EXPECT_EQ(how(POLICY_FINAL_ONLY, REQUEST(.mixed = true)), BROADCAST_LEAVES);
	EXPECT_EQ(how(POLICY_FINAL_ONLY | POLICY_HINT, REQUEST(.freed_tables = true)), 0);
	EXPECT_EQ(how(POLICY_FINAL_ONLY | POLICY_HINT, REQUEST()), BROADCAST_LEAVES | BROADCAST_HINT);
	EXPECT_EQ(how(POLICY_ONE_BY_ONE, REQUEST(.freed_tables = true)), BROADCAST_ONE_BY_ONE);
	EXPECT_EQ(how(POLICY_SYNC_EACH, REQUEST(.mixed = true)), BROADCAST_SYNC_EACH);
}
