/* SPDX-License-Identifier: BSD-2-Clause */
/* What entries of arm64's tables say, and how a walker reads one (Arm ARM D8.3, D8.5): rules 19, 20. No state. */
#include "sim/arm64/arm64.h"

#define PAGE_SHIFT 12
#define BLOCK_SHIFT_MAX 30

static struct decoded decode_table(u64 entry)
{
	return (struct decoded){ .kind = TABLE,
				 .write = !(entry & PTE_TABLE_READ_ONLY),
				 .user = !(entry & PTE_TABLE_NO_USER),
				 .pa = entry & PTE_ADDR };
}

/* What gives a translation fault, or an access flag fault, is never cached. */
struct decoded isa_decode(const struct model_cpu *c, u64 entry, unsigned shift)
{
	bool block = !(entry & PTE_NOT_BLOCK);

	(void)c;
	if (!(entry & PTE_VALID))
		return (struct decoded){ NOTHING };
	if (shift > PAGE_SHIFT && !block)
		return decode_table(entry);
	if (block != (shift > PAGE_SHIFT) || shift > BLOCK_SHIFT_MAX || !(entry & PTE_AF))
		return (struct decoded){ NOTHING };
	return (struct decoded){ .kind = LEAF,
				 .write = !(entry & PTE_READ_ONLY),
				 .user = entry & PTE_USER,
				 .global = !(entry & PTE_NG),
				 .dirty = !(entry & PTE_READ_ONLY),
				 .pa = entry & PTE_ADDR & ~((1ull << shift) - 1) };
}

#define TOGETHER 16
#define TOGETHER_SHIFT 4

/* Rule 28. The access flag of any of them is enough. */
unsigned isa_contiguous(const struct entry_read *leaf, unsigned shift, bool *torn)
{
	u64 first = leaf->entry & ~((((u64)TOGETHER << shift) - 1) & PTE_ADDR), i;
	const u64 *slot = leaf->slot - (u64)leaf->slot / sizeof(*slot) % TOGETHER;

	if (!(leaf->entry & PTE_CONTIGUOUS))
		return 0;
	for (i = 0; i < TOGETHER; i++)
		if ((slot[i] ^ (first + (i << shift))) & ~PTE_VOLATILE)
			*torn = true;
	return TOGETHER_SHIFT;
}

/* The access flag is set by an atomic update of what is there, which the walk then goes by (D8.5.1). */
struct entry_read isa_read_entry(struct model_cpu *c, u64 table, u64 va, unsigned shift)
{
	u64 *slot = (u64 *)(ARENA + table) + (va >> shift & 511);
	struct entry_read read = { .slot = slot };

	if (by_address_read(c, table, va, shift, &read))
		return read;
	read.entry = walks_read(slot, &read.late_by);
	if ((model.features & HAS_HAF) && !(read.entry & PTE_AF) && isa_decode(c, read.entry | PTE_AF, shift).kind == LEAF) {
		if (isa_decode(c, *slot | PTE_AF, shift).kind == LEAF) {
			arena_touch(table);
			*slot |= PTE_AF;
		}
		read.entry = *slot;
		read.late_by = 0;
	}
	by_address_keep(c, table, va, shift, &read);
	return read;
}
