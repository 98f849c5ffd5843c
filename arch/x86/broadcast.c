/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast by INVLPGB and TLBSYNC. Tag asid is PCID asid + 1, as in tlb.c. State: machine.arch.no_invlpgb.
 *
 * INVLPGB is neither ordered after earlier stores of this CPU nor done before its TLBSYNC: callers have an operation of full order
 * between the page table and it, and each function here ends with the sync still owed.
 */
#include "arch/broadcast.h"

#include "arch/tlb.h"
#include "arch/x86/insn.h"
#include "arch/x86/invlpgb.h"
#include "machine.h"

/* Host entries only: ASID 0. */
#define HOST INVLPGB_ASID

const char *broadcast_missing(void)
{
	if (machine.arch.no_invlpgb)
		return machine.arch.no_invlpgb;
	/* A PCID other than 0 raises #GP (Linux 44126343d58c). */
	return tlb_nr_tags() == 1 ? "tags are not in use (pcid)" : NULL;
}

bool broadcast_emulated(void)
{
	return machine.arch.invlpgb_emulated;
}

struct emulated broadcast_emulated_so_far(void)
{
	return this_cpu()->arch.emulation.so_far;
}

bool broadcast_give_up(const char *why)
{
	machine.arch.no_invlpgb = why;
	return !machine.arch.invlpgb_asked;
}

const char *broadcast_hint_missing(void)
{
	return "INVLPGB has no level hint";
}

const char *broadcast_one_by_one_missing(void)
{
	return "it chooses between forms of arm64's TLBI";
}

const char *broadcast_sync_each_missing(void)
{
	return "it is about arm64's DSB";
}

static void issue(struct invlpgb op)
{
	invlpgb(op.rax, op.ecx, op.edx);
}

static void issue_range(struct va start, u64 pages, unsigned stride_shift, u64 flags, unsigned pcid)
{
	while (pages)
		issue(invlpgb_next(&start, &pages, stride_shift, machine.arch.invlpgb_max, flags, pcid));
}

void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	issue_range(start, pages, stride_shift, INVLPGB_PCID | HOST | (how & BROADCAST_LEAVES ? INVLPGB_FINAL_ONLY : 0), asid + 1);
}

void broadcast_tag(unsigned asid)
{
	issue(invlpgb_all(INVLPGB_PCID | HOST, asid + 1));
}

void broadcast_all_tags(void)
{
	issue(invlpgb_all(HOST, 0));
}

void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	(void)how;
	issue_range(start, pages, stride_shift, INVLPGB_GLOBALS | HOST, 0);
}

void broadcast_everything(void)
{
	issue(invlpgb_all(INVLPGB_GLOBALS | HOST, 0));
}

void broadcast_sync(void)
{
	tlbsync();
}
