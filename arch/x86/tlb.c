/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Invalidation on this CPU. With CR4.PCIDE there are tags: PCID = asid + 1 (0 is what a CPU starts with), and a write of CR3 keeps
 * what is cached under its PCID if bit 63 is set, else drops it. Without, there is one tag, and every write of CR3 drops all
 * non-global entries. With pcid=soft the same, but tags are counted as if there were some: each CPU's soft_pcid says which would be
 * loaded. INVPCID is used as option invpcid= says. State: machine.arch.pcid, soft_pcid, invpcid, invpcid_tag, constant once CPUs
 * are up.
 *
 * No barriers: INVLPG, INVPCID, MOV to CR3 and MOV to CR4 are serialising, so stores to page tables that came before are visible to
 * walks that come after (SDM vol. 3A 4.10.4, 9.3).
 */
#include "arch/tlb.h"

#include "arch/x86/insn.h"
#include "machine.h"

#define PCIDS 4095 /* 1..4095 */

unsigned tlb_nr_tags(void)
{
	return machine.arch.pcid || machine.arch.soft_pcid ? PCIDS : 1;
}

/* Root and flush in one write: with a flush before, the old root's entries could come back in between (XSA-292). */
void tlb_load_root(struct pa root, struct tag tag)
{
	u64 cr3 = root.raw;

	if (machine.arch.pcid)
		cr3 |= (tag.asid + 1) | (tag.flush ? 0 : CR3_KEEP);
	this_cpu()->arch.soft_pcid = tag.asid + 1;
	write_cr3(cr3);
}

/* One INVLPG a page. It drops all walk caches of the loaded PCID, so tables freed in the range are covered too. */
void tlb_flush_range(struct va start, u64 pages, unsigned stride_shift, bool one_size)
{
	(void)one_size;
	struct va va = start;

	for (; pages; pages--) {
		invlpg(va);
		va = va_add(va, 1ull << stride_shift);
	}
}

/* Type 1 leaves CR3 alone: the root is loaded already, so nothing comes back from another (XSA-292). PCID 0 needs no PCIDE. */
void tlb_flush_tag(struct pa root, struct tag tag)
{
	if (machine.arch.invpcid_tag) {
		invpcid(INVPCID_TAG, machine.arch.pcid ? tag.asid + 1 : 0, VA(0));
		return;
	}
	tag.flush = true;
	tlb_load_root(root, tag);
}

/*
 * Only INVPCID reaches another PCID alone: a CR3 write would load a root under it. Without tags, and with soft ones, the load of
 * another root has dropped what there was.
 */
void tlb_flush_other_tag(struct tag tag)
{
	if (!machine.arch.pcid)
		return;
	if (machine.arch.invpcid)
		invpcid(INVPCID_TAG, tag.asid + 1, VA(0));
	else
		tlb_flush_everything();
}

/* INVLPG drops global entries as well, under every PCID. */
void tlb_flush_kernel_range(struct va start, u64 pages, unsigned stride_shift, bool one_size)
{
	tlb_flush_range(start, pages, stride_shift, one_size);
}

/* A change of CR4.PGE drops all entries as well, global ones and those of every PCID; the way back drops nothing that matters. */
void tlb_flush_everything(void)
{
	u64 cr4;

	if (machine.arch.invpcid) {
		invpcid(INVPCID_ALL, 0, VA(0));
		return;
	}
	cr4 = read_cr4();
	write_cr4(cr4 & ~(u64)CR4_PGE);
	write_cr4(cr4);
}
