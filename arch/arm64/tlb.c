/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Invalidation on this CPU, by the TLBI forms without a suffix. ASID = asid + 1, in TTBR0; 0 is what the empty root is loaded
 * under. Under tagging slots ASIDs are a CPU's own, as PCIDs are on x86: the same number may be another mm's elsewhere, so TTBR.CnP
 * stays clear (Arm ARM D8.15). State: machine.arch.nr_asids, ttl, empty_root, constant once CPUs are up.
 *
 * Kernel addresses are TTBR1's, the same for all; with the kernel's mm loaded the lower half is an empty table.
 *
 * DSB ISHST first: stores to page tables, this CPU's and those it has seen of others, are visible to walks before the TLBI, else
 * what it drops could come back from the old entry. DSB NSH after: the TLBI is done here. ISB: nothing fetched or walked before
 * is used.
 */
#include "arch/tlb.h"

#include "arch/arm64/insn.h"
#include "arch/arm64/tlbi.h"
#include "arch/platform.h"
#include "machine.h"

static u64 asid_field(unsigned asid)
{
	return (u64)asid << TTBR_ASID_SHIFT;
}

/* Of what the TLB is told that it is all of one size: FEAT_TTL. */
static unsigned level_of(unsigned stride_shift, bool one_size)
{
	return one_size && machine.arch.ttl ? tlbi_level(stride_shift) : 0;
}

static void complete(void)
{
	dsb_nsh();
	isb();
}

unsigned tlb_nr_tags(void)
{
	return machine.arch.nr_asids - 1;
}

/*
 * Root and ASID change in one write. Under a tag that has to be flushed nothing may be walked between the flush and the write: the
 * empty root is loaded for that time, or what the old root maps would come back under a tag that then is the new one's.
 */
void tlb_load_root(struct pa root, struct tag tag)
{
	u64 asid = asid_field(tag.asid + 1);

	dsb_ishst();
	if (tag.flush) {
		write_ttbr0(machine.arch.empty_root.raw);
		isb();
		tlbi_aside1(asid);
		dsb_nsh();
	}
	if (root.raw == platform_kernel_root().raw)
		root = machine.arch.empty_root;
	write_ttbr0(root.raw | asid);
	isb();
}

/*
 * VAE1 drops the leaf and what walk caches hold of the way to it, not all walk caches as INVLPG does. That is enough where tables
 * are freed too: gather_table() has noted an address of each, and every leaf that was ever in one has had its own flush.
 */
void tlb_flush_range(struct va start, u64 pages, unsigned stride_shift, bool one_size)
{
	unsigned asid = (unsigned)(read_ttbr0() >> TTBR_ASID_SHIFT), level = level_of(stride_shift, one_size);

	dsb_ishst();
	for (struct va va = start; pages; pages--) {
		tlbi_vae1(tlbi_page(asid, level, va));
		va = va_add(va, 1ull << stride_shift);
	}
	complete();
}

void tlb_flush_tag(struct pa root, struct tag tag)
{
	(void)root;
	dsb_ishst();
	tlbi_aside1(asid_field(tag.asid + 1));
	complete();
}

void tlb_flush_other_tag(struct tag tag)
{
	tlb_flush_tag((struct pa){ 0 }, tag);
}

void tlb_flush_kernel_range(struct va start, u64 pages, unsigned stride_shift, bool one_size)
{
	unsigned level = level_of(stride_shift, one_size);

	dsb_ishst();
	for (struct va va = start; pages; pages--) {
		tlbi_vaae1(tlbi_page(0, level, va));
		va = va_add(va, 1ull << stride_shift);
	}
	complete();
}

void tlb_flush_everything(void)
{
	dsb_ishst();
	tlbi_vmalle1();
	complete();
}
