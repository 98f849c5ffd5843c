/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The search for all schedules: that it counts right, finds all outcomes that there are and no other, with the reduction as
 * without, and what it says of what never ends. Programs are litmus tests of a few steps, so that the right answers are known.
 */
#include <machine/instructions.h>
#include <machine/primitives.h>

#include "sim/test/explore.h"
#include "sim/x86/test/world.h"

/* --- counting --- */

static void three_loads(unsigned cpu)
{
	(void)cpu;
	sim_load(&x);
	sim_load(&x);
	sim_load(&x);
}

/* Two CPUs of three steps: 6 over 3; three CPUs: 9! / 3!^3. Nobody writes, so one order stands for all. */
MODEL_TEST(interleavings_are_counted)
{
	explore(three_loads, nothing, 2, true);
	EXPECT_EQ(search.interleavings, 20);
	explore(three_loads, nothing, 3, true);
	EXPECT_EQ(search.interleavings, 1680);
	explore(three_loads, nothing, 3, false);
	EXPECT_EQ(search.interleavings, 1);
}

/* --- outcomes --- */

static void sb(unsigned cpu)
{
	sim_store(cpu ? &y : &x, 1);
	got[cpu] = sim_load(cpu ? &x : &y);
}

static void sb_fenced(unsigned cpu)
{
	sim_store(cpu ? &y : &x, 1);
	sim_fence();
	got[cpu] = sim_load(cpu ? &x : &y);
}

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

/* Each reads its own store from its buffer before others see it. */
static void own_first(unsigned cpu)
{
	sim_store(&x, cpu + 1);
	got[cpu] = sim_load(&x);
	sim_fence();
	got[2] = sim_load(&x);
}

/* Words of its own between those that count. */
static void with_private_words(unsigned cpu)
{
	sim_store(&own[cpu], 1);
	sim_store(cpu ? &y : &x, 1);
	sim_add(&own[cpu], 1);
	sim_store(&own[cpu], 5);
	got[cpu] = sim_load(cpu ? &x : &y);
	sim_load(&own[cpu]);
}

MODEL_TEST(litmus_outcomes_are_all_found)
{
	expect_outcomes(sb, nothing, 2, 4);
	EXPECT(reached(NULL, 0x000));
	expect_outcomes(sb_fenced, nothing, 2, 3);
	EXPECT(!reached(NULL, 0x000));
	expect_outcomes(mp, nothing, 2, 3);
	EXPECT(!reached(NULL, 0x100) && reached(NULL, 0x010));
	explore(own_first, nothing, 2, true);
	expect_outcomes(own_first, nothing, 2, search.nr_found);
	EXPECT(reached(NULL, 0x122) && reached(NULL, 0x121) && !reached(NULL, 0x211));
	expect_outcomes(with_private_words, nothing, 2, 3);
}

/* A word that two CPUs turn out to share after all, late on one path. */
static void late_sharing(unsigned cpu)
{
	if (!cpu) {
		sim_add(&z, 1);
		sim_add(&x, 1);
		sim_add(&z, 1);
		return;
	}
	if (sim_load(&x))
		got[0] = sim_load(&z);
}

MODEL_TEST(nobody_is_alone_for_long)
{
	expect_outcomes(late_sharing, nothing, 2, 3);
	EXPECT(reached(NULL, 0x100) && reached(NULL, 0x200));
}

/* --- interrupts --- */

static void handler(void)
{
	got[1] = sim_load(&x) + 1;
}

static void interrupted(unsigned cpu)
{
	if (!cpu) {
		sim_x2apic_icr(1, 0xf1);
		return;
	}
	sim_store(&x, 1);
	sim_store(&x, 2);
	sim_load(&y);
	if (!got[1])
		model_block(NULL, 0);
}

static void with_handler(void)
{
	world_interrupt = handler;
}

/* Between any two steps, and before the first: also when it is sent while the CPU stands there. */
MODEL_TEST(interrupts_come_between_any_two_steps)
{
	expect_outcomes(interrupted, with_handler, 2, 3);
	EXPECT(reached(NULL, 0x010) && reached(NULL, 0x020) && reached(NULL, 0x030));
}

static void answer(void)
{
	sim_add(&z, 1);
}

/* Sent after it was seen that nobody had, and before the wait began: that wait looks round once more. */
static void wait_with_interrupts_off(unsigned cpu)
{
	if (cpu) {
		sim_add(&y, 1);
		sim_x2apic_icr(0, 0xf1);
		while (!sim_load(&x))
			model_block(&x, 0);
		return;
	}
	sim_cli();
	for (;;) {
		u64 seen = sim_load(&z);

		if (sim_load(&y))
			sim_store(&x, 1);
		sim_load(&own[0]);
		if (seen || sim_load(&x))
			break;
		model_block(&z, seen);
	}
}

static void with_answer(void)
{
	world_interrupt = answer;
}

MODEL_TEST(no_interrupt_is_lost_before_a_wait)
{
	expect_outcomes(wait_with_interrupts_off, with_answer, 2, 1);
	EXPECT(!reached("I-DEADLOCK", 0));
}

/* --- TLBs --- */

static u64 *leaf;

static void mapped(void)
{
	leaf = world_map(ROOT_A, PAGE_1, 0);
	model.va[0] = PAGE_1;
	model.nr_va = 1;
	model.fill_budget = 1;
}

static void unmap_and_touch(unsigned cpu)
{
	if (!cpu) {
		sim_xchg(leaf, 0);
		sim_invlpg(PAGE_1);
		got[0] = 1 + tlb_access(PAGE_1, false, 0).fault;
		return;
	}
	got[1] = 1 + tlb_access(PAGE_1, false, 0).fault;
	got[2] = 1 + tlb_access(PAGE_1, false, 0).fault;
}

/* CPU 0 faults; the other one hits, then faults or not; or faults, and then it can't hit. */
MODEL_TEST(fills_are_tried_where_they_matter)
{
	expect_outcomes(unmap_and_touch, mapped, 2, 2);
	EXPECT(reached(NULL, 0x211) && reached(NULL, 0x222) && !reached(NULL, 0x212));
}

static void fill_then_touch(unsigned cpu)
{
	if (!cpu) {
		sim_store(leaf, 0);
		sim_fence();
		sim_store(&x, 1);
		return;
	}
	got[1] = sim_load(&x);
	got[2] = 1 + tlb_access(PAGE_1, false, 0).fault;
}

/* A fill before the entry is gone, by which it is used when it is: the store must be late enough, and the fill early enough. */
MODEL_TEST(stores_that_walkers_see_are_tried)
{
	expect_outcomes(fill_then_touch, mapped, 2, 4);
	EXPECT(reached(NULL, 0x011));
}

static void broadcast(unsigned cpu)
{
	if (!cpu) {
		sim_invlpgb(PAGE_1 | 0x13, 0, 1 << 16);
		sim_xchg(leaf, 0);
		sim_tlbsync();
		return;
	}
	got[1] = 1 + tlb_access(PAGE_1, false, 0).fault;
}

static void mapped_and_filled(void)
{
	mapped();
	tlb_spontaneous(1, PAGE_1);
}

/* The broadcast may take effect before the entry is gone, and the entry come back: or at any time up to TLBSYNC. */
MODEL_TEST(broadcasts_are_tried_where_they_matter)
{
	expect_outcomes(broadcast, mapped_and_filled, 2, 2);
}

/* --- what does not end --- */

static void polite(unsigned cpu)
{
	for (;;) {
		sim_xchg(&own[cpu], 1);
		if (!sim_load(&own[!cpu]))
			break;
		sim_xchg(&own[cpu], 0);
	}
	sim_xchg(&own[cpu], 0);
}

MODEL_TEST(livelocks_are_found)
{
	explore(polite, nothing, 2, false);
	EXPECT(reached("I-LIVELOCK", 0) && reached(NULL, 0));
	explore(polite, nothing, 2, true);
	EXPECT(reached("I-LIVELOCK", 0) && reached(NULL, 0));
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

/* It goes round only as long as the other one, or its buffer, is not served: that is no livelock, and it ends. */
MODEL_TEST(a_loop_that_others_end_is_no_livelock)
{
	expect_outcomes(spin, nothing, 2, 1);
	EXPECT(reached(NULL, 0x100) && search.cycles);
}

static void embrace(unsigned cpu)
{
	sim_xchg(&own[cpu], 1);
	if (sim_load(&own[!cpu]))
		model_block(&own[!cpu], 1);
	sim_store(&own[cpu], 0);
}

MODEL_TEST(deadlocks_are_found)
{
	explore(embrace, nothing, 2, false);
	EXPECT(reached("I-DEADLOCK", 0) && reached(NULL, 0));
}
