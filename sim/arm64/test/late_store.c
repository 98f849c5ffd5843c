/* SPDX-License-Identifier: BSD-2-Clause */
/* Knob late-store: which store outlives the translation that it went through, and what ends that. */
#include <machine/primitives.h>
#include <string.h>

#include "sim/arm64/test/world.h"

#define SEEDS 1500
#define ASID_1 (1ull << 48)
#define OPERAND(va) (ASID_1 | (va) >> 12)

static u64 flag, frame, got[2];
static void (*invalidate)(void), (*after_store)(void);
static bool is_freed;

static void nothing(void)
{
}

static void dmb(void)
{
	sim_fence();
}

static void dsb(void)
{
	sim_dsb(DSB_ISH | DSB_STORES);
}

static void update(void)
{
	sim_add(&got[0], 0);
}

static void load_again(void)
{
	if (tlb_access(PAGE_1, false, 0).value != 7)
		test_failed(__FILE__, __LINE__, "a CPU does not see its own store");
}

static void once(void)
{
	sim_tlbi(TLBI_VA + TLBI_INNER, OPERAND(PAGE_1));
	sim_dsb(DSB_ISH);
}

static void twice(void)
{
	once();
	sim_tlbi(TLBI_VA_LAST + TLBI_INNER, 0); /* whatever it is of */
	sim_dsb(DSB_ISH);
}

static void once_and_local(void)
{
	once();
	sim_tlbi(TLBI_VA + TLBI_LOCAL, OPERAND(PAGE_1));
	sim_dsb(DSB_ISH);
}

static void once_and_dsb(void)
{
	once();
	sim_dsb(DSB_ISH);
}

static void another_and_once(void)
{
	sim_tlbi(TLBI_VA + TLBI_INNER, OPERAND(PAGE_2));
	sim_dsb(DSB_ISH);
	once();
}

static void run_cpu(unsigned cpu)
{
	unsigned i;

	if (cpu) {
		tlb_access(PAGE_1, true, 7);
		after_store();
		sim_store_release(&flag, 1);
		return;
	}
	while (!sim_load_acquire(&flag))
		model_block(&flag, 0);
	invalidate();
	got[*(u64 *)(ARENA + frame) == 7]++;
	if (is_freed)
		world_free(frame);
	for (i = 0; i < 8; i++)
		sim_load(&flag); /* time for it to come */
}

/* STLR would wait for it: the flag is told of in another way. */
static void run_cpu_unordered(unsigned cpu)
{
	if (cpu) {
		tlb_access(PAGE_1, true, 7);
		after_store();
		sim_store(&flag, 1);
	} else {
		run_cpu(0);
	}
}

/* got[0]: how often the store was not there when the invalidation was done. What an oracle said, if one did. */
static const char *explore(u32 knobs, void (*by)(void), void (*entry)(unsigned cpu))
{
	const char *oracle = NULL;
	u64 seed;

	got[0] = got[1] = 0;
	invalidate = by;
	for (seed = 1; seed <= SEEDS && !oracle; seed++) {
		world_begin();
		model.knobs = knobs;
		flag = 0;
		frame = *world_map(ROOT_A, PAGE_1, 0) & PTE_ADDR;
		world_map(ROOT_A, PAGE_2, 0);
		oracle = run_seed(seed, 2, entry);
	}
	return oracle;
}

static u64 late(u32 knobs, void (*by)(void))
{
	EXPECT(!explore(knobs, by, run_cpu_unordered));
	EXPECT(got[1] > SEEDS / 10);
	return got[0];
}

MODEL_TEST(knob_late_store)
{
	after_store = nothing;
	is_freed = false;
	EXPECT_EQ(late(0, once), 0);
	EXPECT(late(KNOB_LATE_STORE, once));
	EXPECT(late(KNOB_LATE_STORE, once_and_local));
	EXPECT(late(KNOB_LATE_STORE, once_and_dsb));
	EXPECT(late(KNOB_LATE_STORE, another_and_once));
	EXPECT_EQ(late(KNOB_LATE_STORE, twice), 0);
}

static void barriers(void)
{
	static void (*const list[])(void) = { dmb, dsb, update };
	unsigned i;

	for (i = 0; i < 3; i++) {
		after_store = list[i];
		EXPECT_EQ(late(KNOB_LATE_STORE, once), 0);
	}
}

/* A barrier of the CPU that stores waits for it, and so does what it reads next. */
MODEL_TEST(own_barriers_wait_for_a_late_store)
{
	is_freed = false;
	barriers();
	after_store = load_again;
	late(KNOB_LATE_STORE, once);
	after_store = nothing;
	EXPECT(!explore(KNOB_LATE_STORE, once, run_cpu) && !got[0]);
}

static const char *reused(u32 knobs, void (*by)(void))
{
	const char *oracle = explore(knobs, by, run_cpu_unordered);

	return oracle ? oracle : "";
}

MODEL_TEST(o_frame_of_a_late_store)
{
	after_store = nothing;
	is_freed = true;
	EXPECT(!strcmp(reused(0, once), ""));
	EXPECT(!strcmp(reused(KNOB_LATE_STORE, once), "O-FRAME"));
	EXPECT(!strcmp(reused(KNOB_LATE_STORE, twice), ""));
}
