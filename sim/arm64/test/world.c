/* SPDX-License-Identifier: BSD-2-Clause */
/* What of the tests' world is arm64's. */
#include "sim/arm64/test/world.h"

#define LEAF_BITS (PTE_VALID | PTE_USER | PTE_AF | PTE_NG)

const u64 world_table = PTE_VALID | PTE_NOT_BLOCK, world_leaf = LEAF_BITS | PTE_NOT_BLOCK, world_large = LEAF_BITS;

void world_machine(void)
{
	model.features = HAS_RANGE | HAS_HAF | HAS_ASID16;
}

void world_load(u64 root, unsigned asid)
{
	root_write(TTBR(root, asid));
	root_synchronize(&model.cpu[model.current]);
}

void world_cpu(void)
{
	model.cpu[model.current].isa.ttbr1 = ROOT_A;
	world_load(ROOT_A, 1);
}

u64 *world_map_global(u64 root, u64 va)
{
	u64 *entry = world_map(root, va, 0);

	*entry &= ~PTE_NG;
	return entry;
}

bool isa_trap(u64 va, bool store, bool permission)
{
	(void)permission;
	return oracle_fault(va, store);
}

void world_settle(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		model.current = cpu;
		memory_dsb();
	}
}
