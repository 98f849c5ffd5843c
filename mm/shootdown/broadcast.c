/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests as broadcasts: broadcast.h. */
#include "mm/shootdown/broadcast.h"

#include "arch/broadcast.h"
#include "machine.h"

COUNTER(flush_broadcasts, "flushes by broadcast");
COUNTER(syncs_at_switch, "switches that waited for broadcasts first");

static void owe(void)
{
	count(&counter_flush_broadcasts, 1);
	this_cpu()->tlb.sync_owed = true;
}

static unsigned how(const struct request *req)
{
	u32 policies = strategy_now()->policies;
	unsigned how = 0;

	if (!policies)
		return 0;
	if (policies & POLICY_FINAL_ONLY && !req->freed_tables)
		how |= BROADCAST_LEAVES;
	if (request_of_one_size(strategy_now(), req))
		how |= BROADCAST_HINT;
	if (policies & POLICY_ONE_BY_ONE)
		how |= BROADCAST_ONE_BY_ONE;
	if (policies & POLICY_SYNC_EACH)
		how |= BROADCAST_SYNC_EACH;
	return how;
}

static void issue_kernel(const struct request *req, u64 pages)
{
	if (req->full || req->freed_tables)
		broadcast_everything();
	else
		broadcast_kernel_range(req->start, pages, req->stride_shift, how(req));
}

void broadcast_issue(const struct request *req, unsigned asid)
{
	u64 pages = (req->end.raw - req->start.raw) >> req->stride_shift;

	owe();
	if (req->kernel)
		issue_kernel(req, pages);
	else if (req->full)
		broadcast_tag(asid);
	else
		broadcast_range(asid, req->start, pages, req->stride_shift, how(req));
}

void broadcast_issue_all(void)
{
	owe();
	broadcast_all_tags();
}

void broadcast_wait(struct flight *flight)
{
	(void)flight;
	if (!this_cpu()->tlb.sync_owed)
		return;
	broadcast_sync();
	this_cpu()->tlb.sync_owed = false;
}

void broadcast_sweep(void)
{
	if (this_cpu()->tlb.sync_owed)
		count(&counter_syncs_at_switch, 1);
	broadcast_wait(NULL);
}

CHOICE(ttl, .stage = STAGE_POLICY, .name = "ttl", .missing = broadcast_hint_missing, .policy = POLICY_HINT,
       .help = "arm64: flushes of leaves of one size say of which (FEAT_TTL), unless page tables are freed");
CHOICE(no_range, .stage = STAGE_POLICY, .name = "no-range", .needs = BROADCASTS, .missing = broadcast_one_by_one_missing,
       .policy = POLICY_ONE_BY_ONE, .help = "arm64: broadcasts page by page, though the CPU has FEAT_TLBIRANGE");
CHOICE(dsb_each, .stage = STAGE_POLICY, .name = "dsb-each", .needs = BROADCASTS, .missing = broadcast_sync_each_missing,
       .policy = POLICY_SYNC_EACH, .help = "arm64: a DSB after each TLBI of a range, beside the one at the end");
