/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast by the inner shareable forms of TLBI. ASID = asid + 1, as in tlb.c. Ranges of 4 KiB pages by one instruction each where
 * the CPU has FEAT_TLBIRANGE. State: machine.arch.tlbi_range, repeat_tlbi, constant once CPUs are up.
 *
 * DSB ISHST before: stores to page tables are visible to every walker before the TLBI, else a walker reads the old entry after it.
 * DSB ISH after, in broadcast_sync(), on the CPU that issued: completes them everywhere, and the accesses that used the entries
 * (Arm ARM D8.16; a DMB would do neither). ISB: what this CPU has fetched or walked before is not used. In between TLBIs are in no
 * order. No level hint is given.
 */
#include "arch/broadcast.h"

#include "arch/arm64/insn.h"
#include "arch/arm64/tlbi.h"
#include "machine.h"

const char *broadcast_missing(void)
{
	return machine.arch.no_broadcast;
}

bool broadcast_emulated(void)
{
	return false;
}

struct emulated broadcast_emulated_so_far(void)
{
	return (struct emulated){ 0 };
}

bool broadcast_give_up(const char *why)
{
	machine.arch.no_broadcast = why;
	return true;
}

COUNTER(tlbis_broadcast, "TLBIs that were broadcast, repeated ones too");
COUNTER(tlbi_syncs, "DSBs that waited for them");

typedef void issue_fn(u64 operand);

static void issue_range(struct va start, u64 pages, unsigned stride_shift, unsigned asid, issue_fn *page, issue_fn *range)
{
	u64 n = 0;

	dsb_ishst();
	while (pages && machine.arch.tlbi_range && stride_shift == PAGE_SHIFT) {
		struct tlbi next = tlbi_next(&start, &pages, asid, 0);

		(next.range ? range : page)(next.operand);
		n++;
	}
	for (; pages; pages--, n++) {
		page(tlbi_page(asid, 0, start));
		start = va_add(start, 1ull << stride_shift);
	}
	count(&counter_tlbis_broadcast, n);
}

void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, bool leaves_only)
{
	if (leaves_only)
		issue_range(start, pages, stride_shift, asid + 1, tlbi_vale1is, tlbi_rvale1is);
	else
		issue_range(start, pages, stride_shift, asid + 1, tlbi_vae1is, tlbi_rvae1is);
}

void broadcast_tag(unsigned asid)
{
	dsb_ishst();
	tlbi_aside1is(tlbi_asid(asid + 1));
	count(&counter_tlbis_broadcast, 1);
}

/* There is no form that spares global entries. */
void broadcast_all_tags(void)
{
	broadcast_everything();
}

void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift)
{
	issue_range(start, pages, stride_shift, 0, tlbi_vaae1is, tlbi_rvaae1is);
}

void broadcast_everything(void)
{
	dsb_ishst();
	tlbi_vmalle1is();
	count(&counter_tlbis_broadcast, 1);
}

/*
 * Some CPUs let the first DSB pass too early (errata.h): a TLBI of any kind, if it is broadcast, and its DSB make up for that.
 * VALE1 of page 0 under ASID 0, the empty root's, takes nothing away from anybody.
 */
void broadcast_sync(void)
{
	unsigned repeats = machine.arch.repeat_tlbi;

	dsb_ish();
	for (unsigned i = 0; i < repeats; i++) {
		tlbi_vale1is(tlbi_page(0, 0, VA(0)));
		dsb_ish();
	}
	isb();
	count(&counter_tlbis_broadcast, repeats);
	count(&counter_tlbi_syncs, 1 + repeats);
}
