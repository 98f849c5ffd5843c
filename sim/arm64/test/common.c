/* SPDX-License-Identifier: BSD-2-Clause */
/* TTBR.CnP: what CPUs share, and what a TLBI takes away from whom. Rule 30. */
#include <machine/instructions.h>
#include <string.h>

#include "sim/arm64/test/world.h"

#define SEEDS 200
#define OPERAND(asid, va) ((u64)(asid) << 48 | ((va) >> 12 & ((1ull << 44) - 1)))

static unsigned found, faulted;
static u64 target;
static void (*before)(void);

static void nothing(void)
{
}

static void local(void)
{
	sim_tlbi(TLBI_VA_ANY + TLBI_LOCAL, OPERAND(0, target));
	sim_dsb(DSB_NSH);
}

static void touch(unsigned cpu)
{
	if (cpu != 1)
		return;
	before();
	*(tlb_access(target, false, 0).fault ? &faulted : &found) += 1;
}

static void be(unsigned cpu, u64 root, unsigned asid, bool common)
{
	sched_be(cpu);
	model.cpu[cpu].isa.ttbr1 = ROOT_A | (common ? TTBR_CNP : 0);
	world_load(root | (common ? TTBR_CNP : 0), asid);
}

/* CPU 0 fills, and the entry goes; CPU 1 looks, after `by`. What an oracle said. */
static const char *explore(u64 va, bool common0, bool common1, unsigned asid1, u32 knobs, void (*by)(void))
{
	const char *oracle = NULL;
	u64 seed, *entry;

	found = faulted = 0;
	target = va;
	before = by;
	for (seed = 1; seed <= SEEDS && !oracle; seed++) {
		world_begin();
		entry = va == KERNEL ? world_map_global(ROOT_A, va) : world_map(ROOT_A, va, 0);
		be(1, ROOT_A, asid1, common1);
		be(0, ROOT_A, 1, common0);
		tlb_spontaneous(0, va);
		*entry = 0;
		model.knobs = knobs;
		oracle = run_seed(seed, 2, touch);
	}
	return oracle;
}

static unsigned finds(u64 va, bool common0, bool common1, unsigned asid1)
{
	EXPECT(!explore(va, common0, common1, asid1, 0, nothing));
	EXPECT(faulted);
	return found;
}

MODEL_TEST(common_entries_are_found)
{
	EXPECT(finds(PAGE_1, true, true, 1) > SEEDS / 10);
	EXPECT_EQ(finds(PAGE_1, true, false, 1), 0);
	EXPECT_EQ(finds(PAGE_1, false, true, 1), 0);
	EXPECT_EQ(finds(PAGE_1, true, true, 2), 0); /* another ASID */
	EXPECT(finds(KERNEL, true, true, 2)); /* global */
	EXPECT_EQ(finds(KERNEL, true, false, 2), 0);
}

/* It is gone for the CPU that says so, and for no other. */
MODEL_TEST(local_tlbi_of_common_entries)
{
	EXPECT(!explore(PAGE_1, true, true, 1, 0, local));
	EXPECT(!found && faulted == SEEDS);
	EXPECT(holds(0, 1, PAGE_1) && holds_walk(0, 1, PAGE_1, 12));
}

MODEL_TEST(knob_cnp_broken)
{
	EXPECT(!explore(PAGE_1, true, true, 1, KNOB_CNP, local));
	EXPECT(found > SEEDS / 10);
	/* Its own goes, a broadcast reaches all. */
	world_begin();
	world_map(ROOT_A, PAGE_1, 0);
	be(0, ROOT_A, 1, true);
	tlb_spontaneous(0, PAGE_1);
	model.knobs = KNOB_CNP;
	tlbi_issue(TLBI_ALL + TLBI_LOCAL, 0);
	tlbi_wait(DSB_NSH);
	EXPECT(!holds(0, 1, PAGE_1) && !holds_walk(0, 1, PAGE_1, 12));
	model.cpu[0].tlb[model.cpu[0].nr_tlb++] = (struct tlb_entry){ .page = PAGE_1 >> 12, .shift = 12, .page_shift = 12, .tag = 1,
								      .common = true, .foreign = true };
	tlbi_issue(TLBI_ALL + TLBI_LOCAL, 0);
	tlbi_wait(DSB_NSH);
	EXPECT(holds(0, 1, PAGE_1)); /* found before */
	tlbi_issue(TLBI_ALL + TLBI_INNER, 0);
	tlbi_wait(DSB_ISH);
	EXPECT(!holds(0, 1, PAGE_1));
}

/* CPU 1 begins at the last table, which CPU 0 has found before the way there went. */
MODEL_TEST(common_walk_caches)
{
	unsigned common, n[2];
	u64 seed;

	for (common = 0; common < 2; common++) {
		found = faulted = 0;
		before = nothing;
		target = PAGE_2;
		for (seed = 1; seed <= SEEDS; seed++) {
			world_begin();
			world_map(ROOT_A, PAGE_1, 0);
			world_map(ROOT_A, PAGE_2, 0);
			be(1, ROOT_A, 1, common);
			be(0, ROOT_A, 1, common);
			tlb_spontaneous(0, PAGE_1);
			*world_entry(ROOT_A, PAGE_1, 39) = 0;
			EXPECT(!run_seed(seed, 2, touch));
		}
		n[common] = found;
		EXPECT(faulted);
	}
	EXPECT(!n[0] && n[1]);
}

/* ASIDs that are each CPU's own are none for it. */
static const char *own_asids(bool common)
{
	const char *oracle = NULL;
	u64 seed;

	target = PAGE_1;
	before = nothing;
	for (seed = 1; seed <= SEEDS && !oracle; seed++) {
		world_begin();
		world_map(ROOT_A, PAGE_1, 0);
		world_map(ROOT_B, PAGE_1, 0);
		model.cpu[1].nr_tags = 0;
		be(1, ROOT_B, 1, common);
		be(0, ROOT_A, 1, common);
		tlb_spontaneous(0, PAGE_1);
		oracle = run_seed(seed, 2, touch);
	}
	return oracle ? oracle : "";
}

MODEL_TEST(common_entries_of_another_root)
{
	EXPECT(!strcmp(own_asids(true), "O-XMM"));
	EXPECT(!strcmp(own_asids(false), ""));
}
