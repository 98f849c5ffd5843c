/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Invalidation on this CPU, with CR4.PCIDE off: there is one tag, and every write of CR3 drops its non-global entries.
 * Owns no state.
 *
 * No barriers: INVLPG, MOV to CR3 and MOV to CR4 are serialising, so stores to page tables that came before are visible to walks
 * that come after (SDM vol. 3A 4.10.4, 9.3).
 */
#include "arch/tlb.h"

#include "arch/x86/insn.h"

unsigned tlb_nr_tags(void)
{
	return 1;
}

/* A load always flushes: there is no tag under which anything could stay. */
void tlb_load_root(struct pa root, struct tag tag)
{
	(void)tag;
	write_cr3(root.raw);
}

/* One INVLPG a page. It drops all walk caches, so tables freed in the range are covered too. */
void tlb_flush_range(struct va start, u64 pages, unsigned stride_shift)
{
	struct va va = start;

	for (; pages; pages--) {
		invlpg(va);
		va = va_add(va, 1ull << stride_shift);
	}
}

void tlb_flush_tag(struct pa root, struct tag tag)
{
	(void)tag;
	write_cr3(root.raw);
}

/* INVLPG drops global entries as well, under every PCID. */
void tlb_flush_kernel_range(struct va start, u64 pages, unsigned stride_shift)
{
	tlb_flush_range(start, pages, stride_shift);
}

/* A change of CR4.PGE drops all entries, global ones and those of every PCID; the way back drops nothing that matters. */
void tlb_flush_everything(void)
{
	u64 cr4 = read_cr4();

	write_cr4(cr4 & ~(u64)CR4_PGE);
	write_cr4(cr4);
}
