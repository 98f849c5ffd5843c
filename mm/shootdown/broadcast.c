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

static void issue_kernel(const struct request *req, u64 pages)
{
	if (req->full || req->freed_tables)
		broadcast_everything();
	else
		broadcast_kernel_range(req->start, pages, req->stride_shift);
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
		broadcast_range(asid, req->start, pages, req->stride_shift,
				strategy_now()->policies & POLICY_FINAL_ONLY && !req->freed_tables);
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
