/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast by the inner shareable forms of TLBI. ASID = asid + 1, as in tlb.c. Ranges of 4 KiB pages by one instruction each where
 * the CPU has FEAT_TLBIRANGE. State: machine.arch.tlbi_range, ttl, repeat_tlbi, constant once CPUs are up.
 *
 * DSB ISHST before: stores to page tables are visible to every walker before the TLBI, else a walker reads the old entry after it.
 * DSB ISH after, in broadcast_sync(), on the CPU that issued: completes them everywhere, and the accesses that used the entries
 * (Arm ARM D8.16; a DMB would do neither). ISB: what this CPU has fetched or walked before is not used. In between TLBIs are in no
 * order.
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

const char *broadcast_hint_missing(void)
{
	return machine.arch.ttl ? NULL : "this CPU has no FEAT_TTL";
}

const char *broadcast_one_by_one_missing(void)
{
	return machine.arch.tlbi_range ? NULL : "this CPU has no FEAT_TLBIRANGE";
}

const char *broadcast_sync_each_missing(void)
{
	return NULL;
}

typedef void issue_fn(u64 operand);

struct forms {
	issue_fn *page, *range;
};

/* `by` is constant then, and what it names are single instructions. */
#define INLINE static inline __attribute__((always_inline))

INLINE void issue(struct tlbi op, const struct forms *by, unsigned how)
{
	(op.range ? by->range : by->page)(op.operand);
	count(&counter_tlbis_broadcast, 1);
	if (how & BROADCAST_SYNC_EACH) {
		dsb_ish();
		count(&counter_tlbi_syncs, 1);
	}
}

static __attribute__((noinline)) void issue_ranges(unsigned asid, struct va start, u64 pages, unsigned level,
						   const struct forms *by, unsigned how)
{
	while (pages)
		issue(tlbi_next(&start, &pages, asid, level), by, how);
}

INLINE void issue_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, const struct forms *by, unsigned how)
{
	unsigned level = how & BROADCAST_HINT ? tlbi_level(stride_shift) : 0;

	dsb_ishst();
	if (pages > 1 && machine.arch.tlbi_range && stride_shift == PAGE_SHIFT && !(how & BROADCAST_ONE_BY_ONE)) {
		issue_ranges(asid, start, pages, level, by, how);
		return;
	}
	for (; pages; pages--) {
		issue((struct tlbi){ .operand = tlbi_page(asid, level, start) }, by, how);
		start = va_add(start, 1ull << stride_shift);
	}
}

void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	static const struct forms all = { tlbi_vae1is, tlbi_rvae1is }, leaves = { tlbi_vale1is, tlbi_rvale1is };

	if (how & BROADCAST_LEAVES)
		issue_range(asid + 1, start, pages, stride_shift, &leaves, how);
	else
		issue_range(asid + 1, start, pages, stride_shift, &all, how);
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

void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	static const struct forms any_asid = { tlbi_vaae1is, tlbi_rvaae1is };

	issue_range(0, start, pages, stride_shift, &any_asid, how);
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
		count(&counter_tlbis_broadcast, 1);
		count(&counter_tlbi_syncs, 1);
	}
	isb();
	count(&counter_tlbi_syncs, 1);
}
