/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory order: what is reachable in some schedule, and what in none. Litmus tests by their usual names: SB (store buffering), MP
 * (message passing), CoRR (coherence of reads), LB (load buffering), and walks that miss a store.
 */
#include <machine/instructions.h>
#include <machine/primitives.h>

#include "sim/arm64/test/world.h"

#define SEEDS 3000

static u64 x, y, z, got[2];
static void (*between)(void), (*between_loads)(void);

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
	sim_add(&z, 1);
}

/* In how many schedules both got what `a` and `b` say. */
static unsigned count(void (*entry)(unsigned cpu), void (*prepare)(void), u64 a, u64 b)
{
	unsigned n = 0;
	u64 seed;

	for (seed = 1; seed <= SEEDS; seed++) {
		world_begin();
		x = y = z = got[0] = got[1] = 0;
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

static void sb_ordered(unsigned cpu)
{
	sim_store_release(cpu ? &y : &x, 1);
	got[cpu] = sim_load_acquire(cpu ? &x : &y);
}

MODEL_TEST(store_buffering)
{
	between = nothing;
	EXPECT(count(sb, nothing, 0, 0) > SEEDS / 100);
	between = dmb;
	EXPECT_EQ(count(sb, nothing, 0, 0), 0);
	EXPECT(count(sb, nothing, 0, 1) && count(sb, nothing, 1, 1));
	between = update;
	EXPECT_EQ(count(sb, nothing, 0, 0), 0);
	EXPECT_EQ(count(sb_ordered, nothing, 0, 0), 0); /* STLR before LDAR */
}

static void mp(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		between();
		sim_store(&y, 1);
	} else {
		got[0] = sim_load(&y);
		between_loads();
		got[1] = sim_load(&x);
	}
}

static void mp_ordered(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_store_release(&y, 1);
	} else {
		got[0] = sim_load_acquire(&y);
		got[1] = sim_load(&x);
	}
}

/* Either side alone is not enough. */
MODEL_TEST(message_passing)
{
	between = between_loads = nothing;
	EXPECT(count(mp, nothing, 1, 0));
	between = dmb;
	EXPECT(count(mp, nothing, 1, 0)); /* loads */
	between_loads = dmb;
	EXPECT_EQ(count(mp, nothing, 1, 0), 0);
	EXPECT(count(mp, nothing, 1, 1) && count(mp, nothing, 0, 1) && count(mp, nothing, 0, 0));
	between = nothing;
	EXPECT(count(mp, nothing, 1, 0)); /* stores */
	between = between_loads = dsb;
	EXPECT_EQ(count(mp, nothing, 1, 0), 0);
	EXPECT_EQ(count(mp_ordered, nothing, 1, 0), 0);
}

/* The loaded word is the address of what is read next. */
static u64 pointed[2];

static void by_address(unsigned cpu)
{
	if (!cpu) {
		sim_store(&pointed[0], 7);
		sim_fence();
		sim_store(&y, (u64)pointed);
	} else {
		u64 p = sim_load(&y);

		got[0] = !!p;
		got[1] = p ? sim_load((const u64 *)p) : 0;
	}
}

static void clear_pointed(void)
{
	pointed[0] = 0;
}

MODEL_TEST(address_dependencies_order)
{
	EXPECT_EQ(count(by_address, clear_pointed, 1, 0), 0);
	EXPECT(count(by_address, clear_pointed, 1, 7));
}

static void corr(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_store(&y, 1);
	} else {
		got[0] = sim_load(&x);
		got[1] = sim_load(&x);
	}
}

MODEL_TEST(one_word_is_coherent)
{
	EXPECT_EQ(count(corr, nothing, 1, 0), 0);
	EXPECT(count(corr, nothing, 0, 1));
}

static void lb(unsigned cpu)
{
	got[cpu] = sim_load(cpu ? &y : &x);
	sim_store(cpu ? &x : &y, 1);
}

/* A limit of the model, not of the architecture. */
MODEL_TEST(load_buffering_is_not_reached)
{
	EXPECT_EQ(count(lb, nothing, 1, 1), 0);
}

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

/* Rule 26: an entry is taken away and that is announced; a walk that starts then may find it all the same. */
static u64 *leaf;

static void mapped_page(void)
{
	leaf = world_map(ROOT_A, PAGE_1, 0);
}

static void unmap_and_tell(unsigned cpu)
{
	if (!cpu) {
		sim_xchg(leaf, 0);
		between();
		sim_store_release(&x, 1);
	} else if ((got[0] = sim_load_acquire(&x))) {
		between_loads();
		got[1] = tlb_access(PAGE_1, false, 0).fault;
	}
}

MODEL_TEST(walks_are_ordered_by_dsb_only)
{
	between = between_loads = nothing;
	EXPECT(count(unmap_and_tell, mapped_page, 1, 0));
	between = dmb;
	between_loads = dmb;
	EXPECT(count(unmap_and_tell, mapped_page, 1, 0));
	between = dsb;
	between_loads = nothing;
	EXPECT_EQ(count(unmap_and_tell, mapped_page, 1, 0), 0);
	between = nothing;
	between_loads = dsb; /* of one who has seen what came after */
	EXPECT_EQ(count(unmap_and_tell, mapped_page, 1, 0), 0);
}

/* The handler looks at what was stored before the interrupt was sent. */
static void look(void)
{
	got[1] = 1 + sim_load(&x);
}

static void interrupt(unsigned cpu)
{
	if (cpu) {
		if (!got[1]) /* it may have come already */
			model_block(NULL, 0);
		return;
	}
	sim_store(&x, 1);
	between();
	sim_sgi1r(1 << 1);
	got[0] = sim_load(&y);
}

static void prepare_handler(void)
{
	world_interrupt = look;
}

MODEL_TEST(interrupts_overtake_stores)
{
	between = nothing;
	EXPECT(count(interrupt, prepare_handler, 0, 1) > SEEDS / 100);
	between = dmb;
	EXPECT(count(interrupt, prepare_handler, 0, 1) > SEEDS / 100);
	between = dsb;
	EXPECT_EQ(count(interrupt, prepare_handler, 0, 2), SEEDS);
}
