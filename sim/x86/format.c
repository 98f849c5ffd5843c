/* SPDX-License-Identifier: BSD-2-Clause */
/* What entries of x86's tables say, and how a walker reads one (SDM vol. 3A 4.5): rule 2. No state. */
#include "sim/x86/x86.h"

#define RESERVED_ADDR (PTE_ADDR & ~((1ull << 46) - 1)) /* MAXPHYADDR is 46 */

/* SDM vol. 3A 4.5.4, table 4-15ff: a set reserved bit is a fault, and nothing is cached. */
static bool reserved(u64 entry, unsigned shift)
{
	bool leaf = shift == 12 || (shift <= 30 && (entry & PTE_PS));

	if (entry & RESERVED_ADDR)
		return true;
	if (shift == 39 && (entry & PTE_PS))
		return true;
	/* Bit 12 is PAT in a large page. */
	return leaf && (entry & PTE_ADDR & ((1ull << shift) - 1) & ~(1ull << 12));
}

struct decoded isa_decode(const struct model_cpu *c, u64 entry, unsigned shift)
{
	struct decoded d = { .write = entry & PTE_W, .user = entry & PTE_U, .dirty = entry & PTE_D, .pa = entry & PTE_ADDR };

	if (!(entry & PTE_P) || reserved(entry, shift))
		return (struct decoded){ NOTHING };
	d.kind = shift == 12 || (entry & PTE_PS) ? LEAF : TABLE;
	if (d.kind == LEAF)
		d.pa &= ~((1ull << shift) - 1);
	d.global = entry & PTE_G && c && c->isa.cr4 & MODEL_PGE;
	return d;
}

unsigned isa_contiguous(const struct entry_read *leaf, unsigned shift, bool *torn)
{
	(void)leaf, (void)shift, (void)torn;
	return 0;
}

/* A is set as a locked operation would, before anything is cached of the entry; on speculative walks too. */
struct entry_read isa_read_entry(struct model_cpu *c, u64 table, u64 va, unsigned shift)
{
	u64 *slot = (u64 *)(ARENA + table) + (va >> shift & 511);

	(void)c;
	if ((*slot & (PTE_P | PTE_A)) == PTE_P) {
		arena_touch(table);
		*slot |= PTE_A;
	}
	return (struct entry_read){ .slot = slot, .entry = *slot };
}
