/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast is not built here yet: the contract's operations are by tag on all CPUs, and ASIDs are each CPU's own so far (tlb.c).
 * So broadcast_missing() says why, and whoever calls the rest all the same ends the run. No state.
 */
#include "arch/broadcast.h"

#include "check.h"

static _Noreturn void not_here(void)
{
	panic("a broadcast, and broadcast_missing() says that there is none");
}

const char *broadcast_missing(void)
{
	return "TLBI by tag on all CPUs is not built yet";
}

bool broadcast_emulated(void)
{
	return false;
}

bool broadcast_give_up(const char *why)
{
	(void)why;
	return true;
}

void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, bool leaves_only)
{
	(void)asid, (void)start, (void)pages, (void)stride_shift, (void)leaves_only;
	not_here();
}

void broadcast_tag(unsigned asid)
{
	(void)asid;
	not_here();
}

void broadcast_all_tags(void)
{
	not_here();
}

void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift)
{
	(void)start, (void)pages, (void)stride_shift;
	not_here();
}

void broadcast_everything(void)
{
	not_here();
}

void broadcast_sync(void)
{
	not_here();
}
