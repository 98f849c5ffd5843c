/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/asid/global.c mm/asid/slots.c mm/shootdown/stages.c smp/lock.c boot/options.c boot/option_values.c lib/printf.c
 * lib/words.c */
/* Tagging "global": who gets which tag, when all tags are flushed, and what a CPU is told that is under another one. */
#include "arch/broadcast.h"
#include "mm/switch.h"
#include "smp/wait.h"
#include "unit.h"

extern const struct choice choice_global;

static const struct tagging *global;
static struct strategy strategy;
static unsigned flushes, syncs;

/* The stand-ins for the hardware. */
unsigned tlb_nr_tags(void)
{
	return 4095;
}

void broadcast_all_tags(void)
{
	flushes++;
}

void broadcast_sync(void)
{
	syncs++;
}

u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	(void)w, (void)cond, (void)operand;
	unit_fail(__FILE__, __LINE__, "waits for %s", what);
	return 0;
}

unsigned loaded_asid(void)
{
	return (unsigned)load_relaxed(&this_cpu()->tlb.asid);
}

static void begin(unsigned slots, const char *asids)
{
	strategy = (struct strategy){ .value = { [STAGE_TAGGING] = slots } };
	machine.shootdown.strategy = &strategy;
	unit_set_option("global_asids", asids);
	global = choice_global.tagging;
	global->reset();
	global->reset_cpu();
	flushes = syncs = 0;
}

static void begin_with(unsigned n)
{
	char asids[16];

	snprintf(asids, sizeof(asids), "%u", n);
	begin(6, asids);
}

static u64 asid_of(const struct mm *mm)
{
	return load_relaxed(&mm->global_asid);
}

UNIT_TEST(global_space)
{
	begin(6, "0");
	EXPECT_EQ(asids_all(), 4089);
	begin(64, "0");
	EXPECT_EQ(asids_all(), 4031);
	begin(1, "8");
	EXPECT_EQ(asids_all(), 8);
	EXPECT_EQ(asids_available(), 8);
	begin(64, "4096"); /* more than there are */
	EXPECT_EQ(asids_all(), 4031);
}

/* The first starts from a flushed space; then one flush for each time around, no more. */
UNIT_TEST(global_one_flush_per_wrap)
{
	struct mm mm;
	unsigned i, n;

	for (n = 1; n <= 9; n++) {
		begin_with(n);
		for (i = 0; i < 5 * n; i++) {
			mm = (struct mm){ 0 };
			asid_promote(&mm);
			EXPECT_EQ(asid_of(&mm), 6 + i % n);
			EXPECT_EQ(load_relaxed(&mm.moving), 1);
			EXPECT_EQ(flushes, i / n + 1);
			EXPECT_EQ(syncs, flushes);
			global->release(&mm);
		}
	}
}

UNIT_TEST(global_all_taken)
{
	struct mm mm[4] = { 0 };
	unsigned i;

	begin(6, "3");
	for (i = 0; i < 4; i++)
		asid_promote(&mm[i]);
	EXPECT(asid_of(&mm[2]) && !asid_of(&mm[3]) && !load_relaxed(&mm[3].moving));
	EXPECT_EQ(asids_available(), 0);
	EXPECT_EQ(flushes, 1); /* none for nothing */
	asid_promote(&mm[1]); /* has one already */
	EXPECT_EQ(asid_of(&mm[1]), 7);
	global->release(&mm[1]);
	EXPECT_EQ(asids_available(), 1);
	asid_promote(&mm[3]); /* the only one that is free, behind a flush */
	EXPECT_EQ(asid_of(&mm[3]), 7);
	EXPECT_EQ(flushes, 2);
	global->release(&(struct mm){ 0 }); /* had none */
	EXPECT_EQ(asids_available(), 0);
}

#define MMS 70
#define STEPS 20000

/*
 * At random, beside a model that knows of each tag whether entries of an mm that ended may be left under it: such a tag is
 * nobody's, two mms never have the same one, and one is had as long as there is one.
 */
UNIT_TEST(global_never_an_old_tag)
{
	static struct mm mms[MMS];
	bool dirty[4096] = { false }, taken[4096] = { false };
	unsigned n, step, i, have, before;
	u64 seed = 1, asid;

	for (n = 1; n <= 65; n += 16) {
		begin_with(n);
		memset(mms, 0, sizeof(mms));
		memset(dirty, 1, sizeof(dirty));
		memset(taken, 0, sizeof(taken));
		for (step = have = 0; step < STEPS; step++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			i = (seed >> 33) % MMS;
			asid = asid_of(&mms[i]);
			if (asid) {
				global->release(&mms[i]);
				mms[i] = (struct mm){ 0 };
				taken[asid] = false;
				dirty[asid] = true;
				have--;
				continue;
			}
			before = flushes;
			asid_promote(&mms[i]);
			if (flushes > before)
				memset(dirty, 0, sizeof(dirty));
			asid = asid_of(&mms[i]);
			EXPECT_EQ(!asid, have == n);
			if (!asid)
				continue;
			EXPECT(asid >= 6 && asid < 6 + n && !taken[asid] && !dirty[asid]);
			taken[asid] = true;
			have++;
			EXPECT_EQ(asids_available(), n - have);
			if (unit_failures())
				return;
		}
		EXPECT(flushes > 10);
	}
}

/* Under its slot until it has got one; from then on under that, on every CPU, and never with a flush. */
UNIT_TEST(global_enter_and_due)
{
	struct mm mm = { .ctx_id = 9 };
	struct request req = { .new_gen = 2 };
	struct tag tag;

	store_relaxed(&mm.tlb_gen, 2);
	begin(6, "0");
	tag = global->enter(&mm, 1);
	EXPECT(tag.asid == 0 && tag.flush);
	store_relaxed(&this_cpu()->tlb.asid, tag.asid);
	EXPECT(global->settled(&mm, 1) && !global->settled(&mm, 2));
	EXPECT_EQ(global->due(&mm, &req).what, DUE_RANGE);
	asid_promote(&mm);
	EXPECT(!global->settled(&mm, 1));
	EXPECT_EQ(global->due(&mm, &req).what, DUE_ENTER);
	tag = global->enter(&mm, 2);
	EXPECT(tag.asid == 6 && !tag.flush);
	store_relaxed(&this_cpu()->tlb.asid, tag.asid);
	EXPECT(global->settled(&mm, 100));
	EXPECT_EQ(global->due(&mm, &req).what, DUE_NOTHING);
}
