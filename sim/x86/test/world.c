/* SPDX-License-Identifier: BSD-2-Clause */
/* What of the tests' world is x86's. */
#include "sim/x86/test/world.h"

const u64 world_table = RW, world_leaf = RW, world_large = RW | PTE_PS;

void world_machine(void)
{
	model.features = HAS_ALL;
	model.isa.invlpgb_max = 7;
}

void world_cpu(void)
{
	EXPECT(!tlb_write_cr4(MODEL_CR4) && !tlb_write_cr3(ROOT_A | 1));
}

bool sched_undefined(bool sync, u64 rax, u32 ecx, u32 edx)
{
	(void)sync, (void)rax, (void)ecx, (void)edx;
	return false;
}

/* Set-ups write to memory itself, past the store buffers. */
void world_settle(void)
{
}
