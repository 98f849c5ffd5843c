/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tagging "generation": one ASID for an mm on all CPUs. When all are handed out a new generation begins: every ASID is free again
 * but those in use on some CPU, and each CPU flushes everything before it enters an mm for the first time in it. Nobody is
 * interrupted for that (Linux arch/arm64/mm/context.c; invariants: kernel-tla, asidalloc.tla).
 *
 * State: machine.generations; mm->tag_id; active, reserved and flush_pending of each CPU.
 *
 * Invariants: of ids of one generation no two mms have the same ASID. An ASID that a CPU has loaded is its mm's for as long: it is
 * `active` or `reserved` there. A CPU whose flush is not pending holds nothing under an ASID from before it was handed out.
 *
 *	this CPU enters mm			a rollover, under the lock
 *	read mm->tag_id, active, generation	generation++
 *	compare and swap active: old -> id	exchange active: 0, what was there is reserved
 *
 * Either the exchange finds the id, and its ASID stays the mm's; or the compare-and-swap finds 0, fails, and this CPU goes by the
 * lock, where it flushes. Not allowed: the id is stored and not found (a plain store would do that); its ASID is handed out while
 * this CPU runs under it. All operations on `active` but the owner's store under the lock are locked ones, so their order decides
 * alone, whatever is read of the generation (Linux: relaxed).
 *
 * No CPU catches up by a generation of flushes here: a flush has to reach each CPU that may hold entries under the mm's ASID, be it
 * running the mm or not. Such a CPU flushes the whole ASID once, and its bit in mm_cpumask goes: not_loaded(). By the ASID that the
 * mm has then, read on the target with interrupts off, after the entries were changed. Should the mm have another one by now, since
 * this CPU ran it, then there was a rollover, and this CPU flushes before it enters the mm again. Not allowed: an ASID read before
 * the entries are changed; a CPU can get the mm under another one and fill an old entry in between (Linux 5e10f9887ed8).
 *
 * The old root is still loaded while everything is flushed, and may be filled from until the new one is. What it fills is under
 * the old mm's ASID, which is reserved: nobody else's before the next rollover, which makes the flush pending again.
 */
#include "arch/tlb.h"
#include "check.h"
#include "lib/string.h"
#include "machine.h"
#include "mm/shootdown/stages.h"
#include "option.h"

OPTION(asid_bits, .kind = OPTION_UINT, .accepts = "bits, 0 = all that the hardware has", .def = "0", .min = 0, .max = 16,
       .help = "tagging generation: bits of an ASID; of N bits there are 2^N - 2; 0: as many as the hardware has");

COUNTER(generations, "rollovers: new generations of ASIDs");
COUNTER(generation_flushes, "CPUs that flushed everything at their first switch in a generation");
COUNTER(other_tag_flushes, "flushes of the tag of an mm that the CPU doesn't run");

static u64 *word_of(struct generations_state *g, unsigned asid)
{
	return &g->used[asid / 64];
}

static u64 bit_of(unsigned asid)
{
	return 1ull << asid % 64;
}

/* The first one from `from` on that is not used; end if there is none. */
static unsigned find_unused(struct generations_state *g, unsigned from)
{
	unsigned asid = from;

	while (asid < g->end) {
		u64 unused = ~*word_of(g, asid) & ~0ull << asid % 64;

		if (unused)
			return MIN(ALIGN_DOWN(asid, 64) + (unsigned)__builtin_ctzll(unused), g->end);
		asid = (unsigned)ALIGN_DOWN(asid, 64) + 64;
	}
	return g->end;
}

/* A CPU that has entered nothing since the last rollover still runs under what it had reserved then. */
static void roll_over(struct generations_state *g)
{
	unsigned cpu;

	count(&counter_generations, 1);
	store_relaxed(&g->now, load_relaxed(&g->now) + ASID_SPACE);
	memset(g->used, 0, sizeof(g->used));
	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		struct tlb_state *tlb = &machine.cpu[cpu].tlb;
		u64 id = xchg_full(&tlb->active, 0);

		if (id)
			tlb->reserved = id;
		if (tlb->reserved)
			*word_of(g, asid_of_id(tlb->reserved)) |= bit_of(asid_of_id(tlb->reserved));
		tlb->flush_pending = true;
	}
}

/* Some CPU took `id` along into this generation. On all of them it becomes `kept`: one mm, one id. */
static bool keep_reserved(u64 id, u64 kept)
{
	bool found = false;
	unsigned cpu;

	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		if (machine.cpu[cpu].tlb.reserved == id) {
			machine.cpu[cpu].tlb.reserved = kept;
			found = true;
		}
	}
	return found;
}

/* The id in this generation of an mm with `id` from an earlier one, or with none. Its ASID stays if it is still to be had. */
static u64 new_id(struct generations_state *g, struct mm *mm, u64 id)
{
	unsigned asid = asid_of_id(id);
	u64 kept = load_relaxed(&g->now) + asid;

	if (id && keep_reserved(id, kept))
		return kept; /* its bit is set: roll_over() */
	/* Who ran it has gone on to another mm before the rollover, and flushes before it enters one. */
	strategy_now()->tracker->renewed(mm);
	if (id && !(*word_of(g, asid) & bit_of(asid))) {
		*word_of(g, asid) |= bit_of(asid);
		return kept;
	}
	asid = find_unused(g, g->next);
	if (asid == g->end) {
		roll_over(g);
		asid = find_unused(g, 1);
	}
	CHECK(asid < g->end); /* more than there are CPUs: generation_missing() */
	*word_of(g, asid) |= bit_of(asid);
	g->next = asid + 1;
	return load_relaxed(&g->now) + asid;
}

/* Does it come from this generation? */
static bool is_current(const struct generations_state *g, u64 id)
{
	return id - asid_of_id(id) == load_relaxed(&g->now);
}

static __attribute__((noinline)) u64 enter_slowly(struct mm *mm)
{
	struct generations_state *g = &machine.generations;
	struct tlb_state *tlb = &this_cpu()->tlb;
	u64 id;

	/* This CPU is between two mms: it must serve nothing. */
	lock_take_alone(&g->lock, "the lock of the ASIDs");
	id = load_relaxed(&mm->tag_id);
	if (!is_current(g, id)) {
		id = new_id(g, mm, id);
		store_release(&mm->tag_id, id); /* what the tracker has made of it comes before: generation_enter() */
	}
	if (tlb->flush_pending) {
		count(&counter_generation_flushes, 1);
		tlb_flush_everything();
		tlb->flush_pending = false;
	}
	store_relaxed(&tlb->active, id);
	lock_release(&g->lock);
	return id;
}

/* KMM has no entries but global ones; its tag is nobody else's. It is entered in calls too. */
static struct tag generation_enter(struct mm *mm, u64 gen)
{
	struct word *active = &this_cpu()->tlb.active;
	u64 id, old;

	(void)gen;
	if (mm->kernel)
		return (struct tag){ 0 };
	id = load_acquire(&mm->tag_id); /* partner: the release in enter_slowly(); the tracker's look at the mm comes after */
	old = load_relaxed(active);
	/* Release: SWITCHING, stored before, is seen by whoever sees what came of it: generation_straggler(). */
	if (!old || !is_current(&machine.generations, id) || !cas_release(active, old, id))
		id = enter_slowly(mm);
	return (struct tag){ .asid = asid_of_id(id) };
}

/* Nobody is left out, so nothing was missed; and an ASID that is loaded is kept through rollovers. */
static bool generation_settled(struct mm *mm, u64 gen)
{
	(void)gen;
	return loaded_asid() == asid_of_id(load_relaxed(&mm->tag_id));
}

static struct due generation_due(struct mm *mm, const struct request *req)
{
	(void)mm;
	return (struct due){ .what = req->full ? DUE_TAG : DUE_RANGE };
}

static void generation_flushed(struct mm *mm, u64 gen)
{
	(void)mm, (void)gen;
}

/*
 * Relaxed: the request has been received, so the entries are changed. An id of an earlier generation counts too: its ASID may be
 * reserved, by this CPU as well. Else somebody else has it by now, and loses a few entries.
 */
static void generation_not_loaded(struct mm *mm)
{
	count(&counter_other_tag_flushes, 1);
	tlb_flush_other_tag((struct tag){ .asid = asid_of_id(load_relaxed(&mm->tag_id)) });
}

/* Its ASID is used until the rollover. */
static void generation_release(struct mm *mm)
{
	(void)mm;
}

/*
 * With `active` exchanged the old mm's ASID is not reserved any more, but its root is still loaded: a walker goes on under it, by
 * walk caches too, until the new root is. If the mm has got another ASID meanwhile, there was a rollover, which found the new mm
 * in `active`, so SWITCHING was there before. Acquire: not SWITCHING, the root is loaded; nothing goes on under the old ASID then,
 * and before it comes into use again on that CPU everything is flushed. (Linux frees tables after an RCU grace period.)
 */
bool generation_straggler(void)
{
	unsigned cpu;

	if (load_relaxed(&machine.generations.now) == FIRST_GENERATION)
		return false;
	for_each_cpu(cpu, &machine.smp.online)
		if (load_acquire(&machine.cpu[cpu].tlb.loaded) == LOADED_SWITCHING)
			return true;
	return false;
}

static unsigned space_end(void)
{
	u64 bits = option_uint(&option_asid_bits);

	return MIN(tlb_nr_tags(), bits ? (1u << bits) - 1 : ASID_SPACE);
}

static void generation_reset(void)
{
	struct generations_state *g = &machine.generations;

	memset(g->used, 0, sizeof(g->used));
	g->end = space_end();
	g->next = 1;
	store_relaxed(&g->now, FIRST_GENERATION);
}

/* Others may roll over while this CPU comes up; it holds nothing yet. */
static void generation_reset_cpu(void)
{
	struct tlb_state *tlb = &this_cpu()->tlb;

	lock_take_alone(&machine.generations.lock, "the lock of the ASIDs");
	store_relaxed(&tlb->active, 0);
	tlb->reserved = 0;
	tlb->flush_pending = false;
	lock_release(&machine.generations.lock);
}

static const char *generation_missing(void)
{
	if (tlb_nr_tags() == 1)
		return "there are no tags, or they may not be used";
	/* One on each CPU may be in use, and one more is wanted. */
	if (space_end() - 1 <= machine.smp.nr_cpus)
		return "too few ASIDs: of N bits (asid_bits=) there are 2^N - 2, and it takes more than there are CPUs";
	return NULL;
}

static const struct tagging generation = {
	.enter = generation_enter,
	.settled = generation_settled,
	.due = generation_due,
	.flushed = generation_flushed,
	.not_loaded = generation_not_loaded,
	.release = generation_release,
	.reset = generation_reset,
	.reset_cpu = generation_reset_cpu,
};

CHOICE(generation, .stage = STAGE_TAGGING, .name = "generation", .by_default = true, .order = 2,
       .needs = KEEPS_BITS, .gives = SAME_TAGS | OWN_ENTRIES, .missing = generation_missing, .tagging = &generation,
       .help = "one tag for an mm on all CPUs; when they run out a new generation begins, without interrupts (Linux on arm64)");
