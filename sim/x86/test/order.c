/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory order and the scheduler: what is reachable in some schedule, and what in none. Rules 10 to 12, 15; SDM vol. 3A 9.2. Litmus
 * tests by their usual names: SB (store buffering), MP (message passing).
 */
#include <machine/instructions.h>
#include <machine/primitives.h>
#include <string.h>

#include "sim/x86/test/world.h"

#define SEEDS 4000

static u64 x, y, got[2];
static void (*between)(void);

static void nothing(void)
{
}

static void fence(void)
{
	sim_fence();
}

static void locked(void)
{
	static u64 z;

	sim_add(&z, 1);
}

static void invlpg(void)
{
	sim_invlpg(PAGE_FAR);
}

/* In how many schedules both got what `a` and `b` say. */
static unsigned count(void (*entry)(unsigned cpu), void (*prepare)(void), u64 a, u64 b)
{
	unsigned n = 0;
	u64 seed;

	for (seed = 1; seed <= SEEDS; seed++) {
		world_begin();
		x = y = got[0] = got[1] = 0;
		prepare();
		if (run_seed(seed, 2, entry)) {
			test_failed(__FILE__, __LINE__, "seed %llu: %s: %s", (llu)seed, outcome.oracle, outcome.text);
			break;
		}
		n += got[0] == a && got[1] == b;
	}
	return n;
}

static void sb(unsigned cpu)
{
	sim_store(cpu ? &y : &x, 1);
	between();
	got[cpu] = sim_load(cpu ? &x : &y);
}

MODEL_TEST(store_buffering)
{
	between = nothing;
	EXPECT(count(sb, nothing, 0, 0) > SEEDS / 100);
	EXPECT(count(sb, nothing, 1, 1));
	between = fence;
	EXPECT_EQ(count(sb, nothing, 0, 0), 0);
	EXPECT(count(sb, nothing, 0, 1) && count(sb, nothing, 1, 0) && count(sb, nothing, 1, 1));
	between = locked;
	EXPECT_EQ(count(sb, nothing, 0, 0), 0);
	between = invlpg;
	EXPECT_EQ(count(sb, nothing, 0, 0), 0);
}

static void mp(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_store(&y, 1);
	} else {
		got[0] = sim_load(&y);
		got[1] = sim_load(&x);
	}
}

MODEL_TEST(message_passing)
{
	EXPECT_EQ(count(mp, nothing, 1, 0), 0);
	EXPECT(count(mp, nothing, 0, 1) && count(mp, nothing, 0, 0) && count(mp, nothing, 1, 1));
}

/* Newest first, whatever has left the buffer; more stores than it holds. */
static void own(unsigned cpu)
{
	u64 i;

	for (i = 1; !cpu && i <= 2 * STORE_BUFFER; i++) {
		sim_store(&x, i);
		sim_store(&y, i);
		got[0] += sim_load(&x) != i || sim_load(&y) != i;
	}
}

MODEL_TEST(own_stores_are_seen)
{
	EXPECT_EQ(count(own, nothing, 0, 0), SEEDS);
}

/* A page-table store that is still in a buffer: walkers read memory. */
static u64 *leaf, leaf_value;

static void unmapped_page(void)
{
	leaf = world_map(ROOT_A, PAGE_1, 0);
	leaf_value = *leaf;
	*leaf = 0;
}

static void map_and_touch(unsigned cpu)
{
	if (!cpu) {
		sim_store(leaf, leaf_value);
		between();
		sim_store(&x, 1); /* announces it; in order */
		got[0] = !tlb_access(PAGE_1, false, 0).fault;
	} else if (sim_load(&x)) {
		got[1] = !tlb_access(PAGE_1, false, 0).fault ? 1 : 2;
	}
}

MODEL_TEST(walkers_do_not_see_buffers)
{
	between = nothing;
	EXPECT(count(map_and_touch, unmapped_page, 0, 0)); /* its own walk either */
	EXPECT_EQ(count(map_and_touch, unmapped_page, 0, 2) + count(map_and_touch, unmapped_page, 1, 2), 0);
	EXPECT(count(map_and_touch, unmapped_page, 1, 1));
	between = invlpg; /* rule 10 */
	EXPECT_EQ(count(map_and_touch, unmapped_page, 0, 0) + count(map_and_touch, unmapped_page, 0, 1), 0);
}

/* Rule 11. The handler looks at what was stored before the interrupt was sent. */
static bool xapic;

static void look(void)
{
	got[1] = 1 + sim_load(&x);
}

static void interrupt(unsigned cpu)
{
	if (cpu) {
		model_block(NULL, 0);
		return;
	}
	sim_store(&x, 1);
	between();
	(xapic ? sim_xapic_icr : sim_x2apic_icr)(1, 0xf1);
	got[0] = sim_load(&y);
}

static void prepare_handler(void)
{
	world_interrupt = look;
}

MODEL_TEST(interrupts_and_buffers)
{
	xapic = false;
	between = nothing;
	EXPECT(count(interrupt, prepare_handler, 0, 1) > SEEDS / 100);
	EXPECT(count(interrupt, prepare_handler, 0, 2));
	between = fence;
	EXPECT_EQ(count(interrupt, prepare_handler, 0, 2), SEEDS);
	between = nothing;
	xapic = true;
	EXPECT_EQ(count(interrupt, prepare_handler, 0, 2), SEEDS);
}

/* The receiver's own buffer is empty in the handler, and after it. */
static void store_and_wait(unsigned cpu)
{
	if (!cpu) {
		sim_x2apic_icr(1, 0xf1);
		return;
	}
	sim_store(&x, 1);
	sim_sti();
	if (!y)
		model_block(NULL, 0);
	got[1] = model.cpu[1].isa.nr_stores;
}

static void look_at_memory(void)
{
	got[0] = x;
	sim_store(&y, 1);
}

static void prepare_look(void)
{
	world_interrupt = look_at_memory;
	model.cpu[1].irq_on = false;
}

MODEL_TEST(interrupts_empty_the_buffer)
{
	EXPECT_EQ(count(store_and_wait, prepare_look, 1, 0), SEEDS);
}

static void masked(unsigned cpu)
{
	if (!cpu) {
		sim_x2apic_icr(1, 0xf1);
		return;
	}
	sim_cli();
	sim_store(&x, 1);
	sim_load(&y);
	got[0] = got[1];
	sim_sti();
	if (!got[1])
		model_block(NULL, 0);
}

static void prepare_masked(void)
{
	world_interrupt = look;
}

/* Taken before CLI or after STI. */
MODEL_TEST(cli_holds_interrupts_back)
{
	unsigned after = count(masked, prepare_masked, 0, 2);

	EXPECT(after);
	EXPECT_EQ(after + count(masked, prepare_masked, 1, 1), SEEDS);
}

/* --- fills --- */

static void idle_and_busy(unsigned cpu)
{
	bool was_empty = false;
	unsigned i;

	for (i = 0; !cpu && i < 40; i++) {
		sim_load(&x);
		was_empty |= model.cpu[1].state == CPU_DONE && !holds(1, 1, PAGE_1);
	}
	if (!cpu) {
		got[0] = model.seen.speculative_fills;
		got[1] = was_empty && holds(1, 1, PAGE_1); /* filled after CPU 1 had ended */
	}
}

static void watch_two(void)
{
	world_map(ROOT_A, PAGE_1, 0);
	world_map(ROOT_A, KERNEL, PTE_G);
	model.va[0] = PAGE_1;
	model.va[1] = KERNEL;
	model.nr_va = 2;
	model.fill_budget = 2;
}

/* On a CPU that does nothing too; never more than the budget. */
MODEL_TEST(spontaneous_fills)
{
	EXPECT(count(idle_and_busy, watch_two, 1, 1) && count(idle_and_busy, watch_two, 2, 1));
	EXPECT(count(idle_and_busy, watch_two, 0, 0) && count(idle_and_busy, watch_two, 1, 0));
	EXPECT_EQ(count(idle_and_busy, watch_two, 3, 0) + count(idle_and_busy, watch_two, 3, 1), 0);
}

/* --- broadcasts --- */

static void broadcast(unsigned cpu)
{
	if (cpu)
		return;
	sim_invlpgb(PAGE_1 | 0x13, 0, 1 << 16);
	sim_load(&x);
	sim_load(&x);
	got[0] = holds(1, 1, PAGE_1);
	sim_tlbsync();
	got[1] = holds(1, 1, PAGE_1) || holds(0, 1, PAGE_1);
}

static void filled_everywhere(void)
{
	world_map(ROOT_A, PAGE_1, 0);
	tlb_spontaneous(0, PAGE_1);
	tlb_spontaneous(1, PAGE_1);
}

/* Rules 15, 16. */
MODEL_TEST(broadcasts_take_effect_at_any_time)
{
	unsigned early = count(broadcast, filled_everywhere, 0, 0);

	EXPECT(early > SEEDS / 100);
	EXPECT_EQ(early + count(broadcast, filled_everywhere, 1, 0), SEEDS);
	EXPECT(early < SEEDS);
}

/* Rule 15: weakly ordered. With the page-table store still in the buffer the entry dies and comes back. */
static void broadcast_too_early(unsigned cpu)
{
	if (cpu)
		return;
	sim_store(leaf, 0);
	between();
	sim_invlpgb(PAGE_1 | 0x13, 0, 1 << 16);
	sim_tlbsync();
	got[1] = holds(1, 1, PAGE_1);
}

static void filled_and_watched(void)
{
	leaf = world_map(ROOT_A, PAGE_1, 0);
	tlb_spontaneous(1, PAGE_1);
	model.va[0] = PAGE_1;
	model.nr_va = 1;
	model.fill_budget = 4;
}

MODEL_TEST(invlpgb_overtakes_stores)
{
	between = nothing;
	EXPECT(count(broadcast_too_early, filled_and_watched, 0, 1));
	between = locked;
	EXPECT_EQ(count(broadcast_too_early, filled_and_watched, 0, 1), 0);
}

/* --- the scheduler --- */

MODEL_TEST(seeds_repeat)
{
	u64 seed, signature, first[2];

	between = nothing;
	for (seed = 1; seed <= 200; seed++) {
		x = y = 0;
		world_begin();
		run_seed(seed, 2, sb);
		signature = outcome.signature;
		memcpy(first, got, sizeof(got));
		x = y = 0;
		world_begin();
		run_seed(seed, 2, sb);
		EXPECT_EQ(outcome.signature, signature);
		x = y = 0;
		world_begin();
		model.nr_cpus = 2;
		sched.mode = SCHED_REPLAY;
		sched_run(2, sb);
		EXPECT(outcome.signature == signature && !memcmp(first, got, sizeof(got)));
	}
}
