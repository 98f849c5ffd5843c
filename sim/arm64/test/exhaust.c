/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The search for all schedules on arm64: late loads, stores that leave their buffer in any order, walks that miss stores, TLBIs
 * that take effect at a time of their own. With the reduction as without the same outcomes are found, and those that there are.
 */
#include <machine/instructions.h>
#include <machine/primitives.h>

#include "sim/arm64/test/world.h"
#include "sim/test/explore.h"

/* --- loads and stores --- */

static void mp(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_store(&y, 1);
		return;
	}
	got[0] = sim_load(&y);
	got[1] = sim_load(&x);
}

static void mp_stores_ordered(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_fence();
		sim_store(&y, 1);
		return;
	}
	got[0] = sim_load(&y);
	got[1] = sim_load(&x);
}

static void mp_loads_ordered(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_store(&y, 1);
		return;
	}
	got[0] = sim_load_acquire(&y);
	got[1] = sim_load(&x);
}

static void mp_both_ordered(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_store_release(&y, 1);
		return;
	}
	got[0] = sim_load_acquire(&y);
	got[1] = sim_load(&x);
}

/* Either half alone leaves 1, 0 possible: a late load, and stores out of order. */
MODEL_TEST(messages_pass_as_barriers_let_them)
{
	expect_outcomes(mp, nothing, 2, 4);
	expect_outcomes(mp_stores_ordered, nothing, 2, 4);
	expect_outcomes(mp_loads_ordered, nothing, 2, 4);
	expect_outcomes(mp_both_ordered, nothing, 2, 3);
	EXPECT(!reached(NULL, 0x100));
}

static void sb_fenced(unsigned cpu)
{
	sim_store(cpu ? &y : &x, 1);
	sim_fence();
	got[cpu] = sim_load(cpu ? &x : &y);
}

static void handler(void)
{
	got[1] = 1 + sim_load(&x);
}

static void with_handler(void)
{
	world_interrupt = handler;
}

/* A word of one's own, read behind a DMB with a store before it, which an interrupt has overtaken. */
static void own_load_drains(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_sgi1r(1 << 1);
		sim_fence();
		sim_load(&w);
		return;
	}
	if (!got[1])
		model_block(NULL, 0);
}

MODEL_TEST(a_load_that_empties_the_buffer_is_not_local)
{
	expect_outcomes(own_load_drains, with_handler, 2, 2);
	EXPECT(reached(NULL, 0x010) && reached(NULL, 0x020));
}

MODEL_TEST(store_buffering_needs_dmb)
{
	expect_outcomes(sb_fenced, nothing, 2, 3);
	EXPECT(!reached(NULL, 0x000));
}

/*
 * A store that nobody reads: when it leaves its buffer its CPU's loads after the DMB can't be earlier. For z = 1, y = 0 it has to
 * leave before either of the other CPU's stores does, and nobody's step says so.
 */
static void own_store_then_loads(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		sim_fence();
		got[0] = sim_load(&z);
		got[1] = sim_load(&y);
		return;
	}
	sim_store(&y, 1);
	sim_fence();
	sim_store(&z, 1);
	sim_add(&w, 1); /* until here it does not look as if anybody would read x */
	got[2] = sim_load(&x);
}

MODEL_TEST(a_store_leaves_before_others_do)
{
	explore(own_store_then_loads, nothing, 2, true);
	expect_outcomes(own_store_then_loads, nothing, 2, search.nr_found);
	EXPECT(reached(NULL, 0x101) && !reached(NULL, 0x100) && !reached(NULL, 0x000));
}

static void spin(unsigned cpu)
{
	if (!cpu) {
		sim_store(&x, 1);
		return;
	}
	while (!sim_load(&x))
		;
	got[0] = 1;
}

/* To read the old value for ever is no livelock either. */
MODEL_TEST(a_late_load_does_not_go_round)
{
	expect_outcomes(spin, nothing, 2, 1);
	EXPECT(reached(NULL, 0x100));
}

/* --- walks and TLBIs --- */

static u64 *leaf;

static void mapped(void)
{
	unsigned cpu;

	leaf = world_map(ROOT_A, PAGE_1, 0);
	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		model.current = cpu;
		world_load(ROOT_A, 1);
	}
}

static u64 touch(void)
{
	return 1 + tlb_access(PAGE_1, false, 0).fault;
}

static void unmap_and_tell(unsigned cpu)
{
	if (!cpu) {
		sim_store(leaf, 0);
		sim_fence();
		sim_store(&x, 1);
		return;
	}
	got[0] = sim_load_acquire(&x);
	got[1] = touch();
}

static void unmap_dsb_and_tell(unsigned cpu)
{
	if (!cpu) {
		sim_store(leaf, 0);
		sim_dsb(DSB_ISH);
		sim_store(&x, 1);
		return;
	}
	got[0] = sim_load_acquire(&x);
	got[1] = touch();
}

/* After a DMB the other CPU's walk may miss the store that its load has been told of; not after a DSB. */
MODEL_TEST(walks_that_miss_stores_are_tried)
{
	expect_outcomes(unmap_and_tell, mapped, 2, 4);
	EXPECT(reached(NULL, 0x110));
	expect_outcomes(unmap_dsb_and_tell, mapped, 2, 3);
	EXPECT(!reached(NULL, 0x110));
}

static void mapped_and_filled(void)
{
	mapped();
	tlb_spontaneous(1, PAGE_1);
}

static void flush_and_tell(unsigned cpu)
{
	if (!cpu) {
		sim_store(leaf, 0);
		sim_dsb(DSB_ISH);
		sim_tlbi(TLBI_VA | TLBI_INNER, PAGE_1 >> 12 | 1ull << 48);
		sim_dsb(DSB_ISH);
		sim_store(&x, 1);
		return;
	}
	got[0] = sim_load_acquire(&x);
	got[1] = touch();
}

static void flush_unordered(unsigned cpu)
{
	if (!cpu) {
		sim_store(leaf, 0);
		sim_tlbi(TLBI_VA | TLBI_INNER, PAGE_1 >> 12 | 1ull << 48);
		sim_dsb(DSB_ISH);
		sim_store(&x, 1);
		return;
	}
	got[2] = touch();
	got[0] = sim_load_acquire(&x);
	got[1] = touch();
}

/* Without the first DSB the TLBI may take effect before the store does, and the entry come back. */
MODEL_TEST(tlbis_are_tried_where_they_matter)
{
	expect_outcomes(flush_and_tell, mapped_and_filled, 2, 3);
	EXPECT(!reached(NULL, 0x110));
	explore(flush_unordered, mapped_and_filled, 2, true);
	expect_outcomes(flush_unordered, mapped_and_filled, 2, search.nr_found);
	EXPECT(reached(NULL, 0x111));
}
