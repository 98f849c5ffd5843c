/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/shootdown/promotion.c mm/shootdown/transport_invlpgb.c mm/shootdown/broadcast.c mm/shootdown/stages.c
 * mm/asid/global.c mm/asid/slots.c smp/lock.c smp/cpumask.c boot/options.c boot/option_values.c lib/printf.c lib/words.c */
/* Which flush gives its mm a global ASID: how many CPUs have to run it, which of them count, and when it is looked at. */
#include "arch/broadcast.h"
#include "arch/clock.h"
#include "mm/switch.h"
#include "smp/wait.h"
#include "unit.h"

extern const struct choice choice_transport_invlpgb, choice_threshold, choice_growing, choice_never;

static struct strategy strategy;
static struct mm mm, other;
static struct flight flight;
static const struct clock_info info = { .khz = 1000 };

/* The stand-ins. */
unsigned tlb_nr_tags(void)
{
	return 4095;
}

const char *broadcast_missing(void)
{
	return NULL;
}

const char *broadcast_hint_missing(void)
{
	return NULL;
}

const char *broadcast_one_by_one_missing(void)
{
	return NULL;
}

const char *broadcast_sync_each_missing(void)
{
	return NULL;
}

void broadcast_all_tags(void)
{
}

void broadcast_sync(void)
{
}

void broadcast_tag(unsigned asid)
{
	(void)asid;
}

void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	(void)asid, (void)start, (void)pages, (void)stride_shift, (void)how;
}

void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift, unsigned how)
{
	(void)start, (void)pages, (void)stride_shift, (void)how;
}

void broadcast_everything(void)
{
}

u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	(void)w, (void)cond, (void)operand;
	unit_fail(__FILE__, __LINE__, "waits for %s", what);
	return 0;
}

unsigned loaded_asid(void)
{
	return 0;
}

struct mm *loaded_mm(void)
{
	return (struct mm *)load_relaxed(&this_cpu()->tlb.loaded);
}

const struct clock_info *clock_info(void)
{
	return &info;
}

static void runs(unsigned cpu, const struct mm *what, bool lazy)
{
	store_relaxed(&machine.cpu[cpu].tlb.loaded, (u64)what);
	store_relaxed(&machine.cpu[cpu].tlb.lazy, lazy);
}

/* Eight CPUs, of which the first `n`, this one among them, run the mm; all others are targets. */
static void begin(const struct choice *promotion, u64 value, unsigned n)
{
	unsigned cpu;

	machine.smp.nr_cpus = 8;
	strategy = (struct strategy){ .promotion = promotion->promotion,
				      .value = { [STAGE_TAGGING] = 6, [STAGE_PROMOTION] = value } };
	machine.shootdown.strategy = &strategy;
	mm = (struct mm){ .ctx_id = 5 };
	flight = (struct flight){ .req = { .mm = &mm, .change = CHANGE_UNMAP } };
	unit_set_option("global_asids", "100");
	for (cpu = 0; cpu < 8; cpu++) {
		runs(cpu, cpu < n ? &mm : &other, false);
		if (cpu)
			cpumask_set(&flight.targets, cpu);
	}
	machine.asids = (struct asids_state){ .first = 6, .end = 106, .next = 106, .available = { 100 } };
}

static bool promoted(void)
{
	choice_transport_invlpgb.transport->after(&flight);
	return load_relaxed(&mm.global_asid);
}

UNIT_TEST(promotion_above_the_threshold)
{
	unsigned n, threshold;

	for (threshold = 0; threshold <= 8; threshold++) {
		for (n = 0; n <= 8; n++) {
			begin(&choice_threshold, threshold, n);
			EXPECT_EQ(promoted(), n > threshold);
		}
	}
}

UNIT_TEST(promotion_counts_who_runs_it)
{
	begin(&choice_threshold, 3, 4);
	runs(2, &mm, true);
	EXPECT(!promoted()); /* lazy */
	begin(&choice_threshold, 3, 4);
	store_relaxed(&machine.cpu[2].tlb.loaded, LOADED_SWITCHING);
	EXPECT(!promoted());
	begin(&choice_threshold, 3, 4);
	cpumask_clear(&flight.targets, 2);
	EXPECT(!promoted()); /* it was left out, so it does not run it */
	begin(&choice_threshold, 3, 5);
	runs(0, &other, false);
	EXPECT(promoted()); /* four without this one */
}

UNIT_TEST(promotion_of_what_can_have_one)
{
	begin(&choice_threshold, 0, 8);
	flight.req.change = CHANGE_EXIT;
	EXPECT(!promoted());
	begin(&choice_threshold, 0, 8);
	flight.req.kernel = true;
	EXPECT(!promoted());
	begin(&choice_threshold, 0, 8);
	flight.req.mm = NULL;
	EXPECT(!promoted());
	begin(&choice_threshold, 0, 8);
	store_relaxed(&machine.asids.available, 0);
	EXPECT(!promoted());
	begin(&choice_threshold, 0, 8);
	EXPECT(promoted() && promoted());
	EXPECT_EQ(load_relaxed(&machine.asids.available), 99); /* one, not two */
	begin(&choice_never, 0, 8);
	EXPECT(!promoted());
}

/* ctx_id 5: the sixth of each 32 milliseconds. */
UNIT_TEST(promotion_sampled)
{
	unsigned ms;

	for (ms = 0; ms < 64; ms++) {
		begin(&choice_threshold, 0, 8);
		strategy.policies = POLICY_SAMPLED;
		host_clock = ms * info.khz; /* the look at it makes one more */
		EXPECT_EQ(promoted(), ms % 32 == 5);
	}
}

UNIT_TEST(promotion_growing)
{
	static const struct {
		u64 left, above;
	} want[] = { { 100, 3 }, { 51, 3 }, { 50, 6 }, { 26, 6 }, { 25, 12 }, { 13, 12 }, { 12, 24 }, { 1, 192 }, { 0, 3 } };
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		begin(&choice_growing, 3, 0);
		store_relaxed(&machine.asids.available, want[i].left);
		EXPECT_EQ(choice_growing.promotion->above(3), want[i].above);
	}
}
