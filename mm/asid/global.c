/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tagging "global": an mm that many CPUs run gets one tag for all of them, so that a flush can be broadcast by it (Linux
 * arch/x86/mm/tlb.c, use_global_asid() and its kin, 6.15 onwards). Others have slots, whose tags are below.
 *
 * State: machine.asids; mm->global_asid, mm->moving. Invariants: a tag is not handed out twice between two rollovers, and a
 * rollover drops every CPU's entries under all tags: no entry of the former mm is left. Under a global ASID a CPU has no
 * generation: broadcasts keep its entries right, whether it runs the mm or not.
 *
 * A freed tag stays used until the rollover. The search goes on from where it stopped, so each rollover hands out everything that
 * was freed before it, once; at its end the next one begins. (Linux up to 6.18 starts over at its very end only: with the tags
 * above the cursor all in use and freed ones below it, it finds none.)
 */
#include "arch/broadcast.h"
#include "check.h"
#include "machine.h"
#include "mm/asid/slots.h"
#include "mm/shootdown/stages.h"
#include "option.h"

OPTION(global_asids, .kind = OPTION_UINT, .accepts = "at most so many; 0 = all that there are", .def = "0", .min = 0,
       .max = MAX_GLOBAL_ASIDS, .help = "size of the space of global ASIDs");

COUNTER(promotions, "mms that got a global ASID");
COUNTER(asid_rollovers, "flushes of all tags: before the first global ASID, and when all had been handed out");
COUNTER(stragglers_moved, "requests that moved a CPU on to the mm's global ASID");

static u64 *word_of(u64 *map, unsigned asid)
{
	return &map[asid / 64];
}

static u64 bit_of(unsigned asid)
{
	return 1ull << asid % 64;
}

/* The first one from `from` on that is not used; end if there is none. */
static unsigned find_unused(struct asids_state *a, unsigned from)
{
	while (from < a->end) {
		u64 unused = ~*word_of(a->used, from) & ~0ull << from % 64;

		if (unused)
			return MIN(ALIGN_DOWN(from, 64) + (unsigned)__builtin_ctzll(unused), a->end);
		from = (unsigned)ALIGN_DOWN(from, 64) + 64;
	}
	return a->end;
}

/* Everybody's entries under all tags die, those of idle CPUs too; then what was freed is unused. */
static void roll_over(struct asids_state *a)
{
	unsigned i;

	count(&counter_asid_rollovers, 1);
	broadcast_all_tags();
	broadcast_sync();
	for (i = 0; i < ARRAY_SIZE(a->used); i++) {
		a->used[i] &= ~a->freed[i];
		a->freed[i] = 0;
	}
}

/* 0: all are in use. */
static unsigned take_one(struct asids_state *a)
{
	unsigned asid;

	if (!load_relaxed(&a->available))
		return 0;
	asid = find_unused(a, a->next);
	if (asid == a->end) {
		roll_over(a);
		asid = find_unused(a, a->first);
	}
	CHECK(asid < a->end);
	*word_of(a->used, asid) |= bit_of(asid);
	a->next = asid + 1;
	add_full(&a->available, -1ull);
	return asid;
}

void asid_promote(struct mm *mm)
{
	struct asids_state *a = &machine.asids;
	unsigned asid;

	CHECK(!mm->kernel);
	lock_take(&a->lock, "the lock of the global ASIDs");
	asid = load_relaxed(&mm->global_asid) ? 0 : take_one(a);
	if (asid) {
		count(&counter_promotions, 1);
		store_relaxed(&mm->moving, 1);
		/*
		 * Release: who sees the ASID sees that CPUs are still moving. Partner: the acquire in invlpgb_takes(). Not allowed:
		 * a flush reaches the new tag alone while a CPU is still under its slot's.
		 */
		store_release(&mm->global_asid, asid);
	}
	lock_release(&a->lock);
}

u64 asids_all(void)
{
	return machine.asids.end - machine.asids.first;
}

u64 asids_available(void)
{
	return load_relaxed(&machine.asids.available);
}

/* Without a flush: what is under a global ASID is right. */
static struct tag global_enter(struct mm *mm, u64 gen)
{
	u64 asid = load_acquire(&mm->global_asid);

	if (!asid)
		return slots_enter(mm, gen);
	return (struct tag){ .asid = (unsigned)asid };
}

static bool global_settled(struct mm *mm, u64 gen)
{
	u64 asid = load_acquire(&mm->global_asid);

	return asid ? loaded_asid() == asid : slots_settled(mm, gen);
}

static struct due global_due(struct mm *mm, const struct request *req)
{
	u64 asid = load_acquire(&mm->global_asid);

	if (!asid)
		return slots_due(mm, req);
	if (loaded_asid() == asid)
		return (struct due){ .what = DUE_NOTHING };
	count(&counter_stragglers_moved, 1);
	return (struct due){ .what = DUE_ENTER };
}

/* Its tag is not loaded anywhere, and is not loaded again before the rollover: entries under it may stay until then. */
static void global_release(struct mm *mm)
{
	struct asids_state *a = &machine.asids;
	unsigned asid = (unsigned)load_relaxed(&mm->global_asid);

	if (!asid)
		return;
	lock_take(&a->lock, "the lock of the global ASIDs");
	*word_of(a->freed, asid) |= bit_of(asid);
	add_full(&a->available, 1);
	lock_release(&a->lock);
}

static void global_reset(void)
{
	struct asids_state *a = &machine.asids;
	u64 wanted = option_uint(&option_global_asids);

	*a = (struct asids_state){ .first = (unsigned)strategy_now()->value[STAGE_TAGGING] };
	a->end = (unsigned)MIN(wanted ? a->first + wanted : MAX_GLOBAL_ASIDS, (u64)tlb_nr_tags());
	CHECK(a->first < a->end);
	a->next = a->end; /* the first one rolls over, and starts from a flushed space */
	store_relaxed(&a->available, a->end - a->first);
}

static const struct tagging global = {
	.enter = global_enter,
	.settled = global_settled,
	.due = global_due,
	.flushed = slots_flushed,
	.not_loaded = tagging_catches_up,
	.release = global_release,
	.reset = global_reset,
	.reset_cpu = slots_reset_cpu,
};

CHOICE(global, .stage = STAGE_TAGGING, .name = "global", .by_default = true, .order = 0, .takes_value = true, .min = 1,
       .max = MAX_TAGS, .def = 6, .needs = BROADCASTS,
       .gives = CATCHES_UP | MAY_WAIT | GLOBAL_TAGS | OWN_ENTRIES, .tagging = &global,
       .help = "as slots; an mm that many CPUs run gets one tag for all of them");
