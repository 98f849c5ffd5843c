/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tagging "global" (mm/asid/global.c) to closure: CPUs that enter mms, give the one that they run a global ASID, move on to it, and
 * end mms that nobody runs, in whose place a new one comes. There is no end to the generations here: all states are found. The
 * move itself, and flushes while it goes on, are the transport's (transport_invlpgb.c), and the simulator's.
 */
#include <stdio.h>
#include <string.h>

#include "mm/shootdown/stages.h"
#include "sim/closure/hardware.h"

extern const struct choice choice_global;

#define SLOTS 1 /* ASIDs below are each CPU's own */

/* ctx_ids. An mm that ends takes its own along; in the slots it becomes GONE, as no mm will ever have it again. */
enum { NONE, KMM, GONE, FIRST };

static const struct tagging *tagging;
static struct mm kmm = { .kernel = true, .ctx_id = KMM };

static bool is_ending(int m)
{
	unsigned t;

	for (t = 0; t < limits.cpus; t++)
		if (threads[t].mm == m && cpus[t].loaded != m && strcmp(threads[t].op->name, "ends") == 0)
			return true;
	return false;
}

static bool may_enter(unsigned cpu, int m)
{
	return cpus[cpu].loaded != m && !is_ending(m);
}

static bool may_idle(unsigned cpu, int m)
{
	return limits.idle && cpus[cpu].loaded != m;
}

static void enter(struct mm *mm)
{
	struct tag tag = tagging->enter(mm, 1);

	load_root(tag);
	this_cpu()->tlb.asid.raw = tag.asid;
}

static void enter_mm(void)
{
	enter(this_op_mm());
}

static void go_idle(void)
{
	enter(&kmm);
}

static bool may_promote(unsigned cpu, int m)
{
	return cpus[cpu].loaded == m && !mms[m].global_asid.raw;
}

static void promote(void)
{
	asid_promote(this_op_mm());
}

/* A request is received, for one. */
static bool may_move(unsigned cpu, int m)
{
	return cpus[cpu].loaded == m && mms[m].global_asid.raw && cpus[cpu].asid != mms[m].global_asid.raw;
}

static void move(void)
{
	struct request req = { .mm = this_op_mm(), .new_gen = 1 };

	if (tagging->settled(this_op_mm(), 1))
		violation("settled", "the mm has a global ASID and is loaded under another one");
	if (tagging->due(this_op_mm(), &req).what != DUE_ENTER)
		violation("due", "the mm has a global ASID, is loaded under another one, and is not entered again");
	enter(this_op_mm());
}

/* Nobody runs it or has begun to enter it: mm_destroy(). */
static bool may_end(unsigned cpu, int m)
{
	unsigned t;

	(void)cpu;
	for (t = 0; t < limits.cpus; t++)
		if (cpus[t].loaded == m || threads[t].mm == m)
			return false;
	return true;
}

static void make(unsigned m)
{
	mms[m].ctx_id = FIRST + m;
	mms[m].tlb_gen.raw = 1;
	mms[m].global_asid.raw = mms[m].moving.raw = 0;
}

static void end(void)
{
	unsigned m, c;

	tagging->release(this_op_mm());
	closure_step();
	closure_note("is gone, and another one is there");
	m = (unsigned)threads[this_thread].mm;
	make(m);
	for (c = 0; c < limits.cpus; c++) {
		cpus[c].gone |= pages[m].now[c];
		pages[m].now[c] = 0;
		if (machine.cpu[c].tlb.slot[0].ctx_id == FIRST + m)
			machine.cpu[c].tlb.slot[0].ctx_id = GONE;
	}
}

static const struct op cpu_ops[] = {
	{ "enters", true, may_enter, enter_mm },
	{ "goes idle", false, may_idle, go_idle },
	{ "promotes", true, may_promote, promote },
	{ "moves", true, may_move, move },
	{ "ends", true, may_end, end },
	{ 0 },
};

static void begin(void)
{
	static struct strategy strategy = { .value = { [STAGE_TAGGING] = SLOTS } };
	unsigned i;

	hardware_begin();
	tagging = choice_global.tagging;
	machine.shootdown.strategy = &strategy;
	machine.smp.nr_cpus = limits.cpus;
	for (i = 0; i < limits.mms; i++)
		make(i);
	tagging->reset();
	for (i = 0; i < limits.cpus; i++) {
		ops_of[i] = cpu_ops;
		this_thread = i;
		host_cpu = &machine.cpu[i];
		tagging->reset_cpu();
		enter(&kmm);
	}
}

/* --- the state --- */

static void code_slot(struct codec *k, struct tlb_state *tlb)
{
	u64 ctx = tlb->slot[0].ctx_id;

	ctx = coded(k, 2, ctx < FIRST ? ctx : NONE);
	tlb->asid.raw = coded(k, 3, tlb->asid.raw);
	if (k->taking) {
		tlb->slot[0].ctx_id = ctx; /* an mm's: code_mm() */
		tlb->slot[0].gen = ctx != NONE;
	}
}

static void code_shared(struct codec *k)
{
	struct asids_state *a = &machine.asids;
	unsigned c;

	a->lock.held.raw = coded(k, 1, a->lock.held.raw);
	a->next = (unsigned)coded(k, 4, a->next);
	a->available.raw = coded(k, 3, a->available.raw);
	a->used[0] = coded(k, 8, a->used[0]);
	a->freed[0] = coded(k, 8, a->freed[0]);
	for (c = 0; c < limits.cpus; c++) {
		code_slot(k, &machine.cpu[c].tlb);
		code_cpu(k, c);
	}
}

static void code_mm(struct codec *k, unsigned m)
{
	unsigned c;

	code_page(k, m);
	mms[m].global_asid.raw = coded(k, 3, mms[m].global_asid.raw);
	mms[m].moving.raw = coded(k, 1, mms[m].moving.raw);
	for (c = 0; c < limits.cpus; c++)
		if (coded(k, 1, machine.cpu[c].tlb.slot[0].ctx_id == FIRST + m)) {
			machine.cpu[c].tlb.slot[0].ctx_id = FIRST + m;
			machine.cpu[c].tlb.slot[0].gen = 1;
		}
}

static bool under_lock(const void *word)
{
	unsigned m;

	for (m = 0; m < limits.mms; m++)
		if (word == &mms[m].global_asid || word == &mms[m].moving)
			return true;
	return word == &machine.asids.available;
}

static bool beyond(void)
{
	return false;
}

/* --- the invariants --- */

static u64 asid_of(unsigned m)
{
	return mms[m].global_asid.raw;
}

static bool TypeInv(void)
{
	const struct asids_state *a = &machine.asids;
	unsigned m;

	for (m = 0; m < limits.mms; m++)
		if (asid_of(m) && !is_ending((int)m) &&
		    (asid_of(m) < a->first || asid_of(m) >= a->end || !(a->used[0] & 1u << asid_of(m))))
			return false;
	return a->next >= a->first && a->next <= a->end && !(a->freed[0] & ~a->used[0]);
}

/* Where nobody is at it: each is an mm's, or to be had. */
static bool AllAccountedFor(void)
{
	u64 n = machine.asids.available.raw;
	unsigned m, t;

	for (t = 0; t < limits.cpus; t++)
		if (threads[t].busy)
			return true;
	for (m = 0; m < limits.mms; m++)
		n += asid_of(m) != 0;
	return n == machine.asids.end - machine.asids.first;
}

static bool UniqueGlobalASID(void)
{
	unsigned m, n;

	for (m = 0; m < limits.mms; m++)
		for (n = 0; n < m; n++)
			if (asid_of(m) && asid_of(m) == asid_of(n) && !is_ending((int)m) && !is_ending((int)n)) {
				closure_note("%c and %c both have ASID %u", 'A' + n, 'A' + m, (unsigned)asid_of(m));
				return false;
			}
	return true;
}

/* A CPU that is not under its own tag is under the one that its mm has on all. */
static bool SameASIDActiveTask(void)
{
	unsigned c;

	for (c = 0; c < limits.cpus; c++)
		if (cpus[c].loaded != NOBODY && cpus[c].asid >= SLOTS && cpus[c].asid != asid_of((unsigned)cpus[c].loaded)) {
			closure_note("CPU %u runs %c under ASID %u", c, 'A' + cpus[c].loaded, cpus[c].asid);
			return false;
		}
	return true;
}

static const struct invariant invariants[] = {
	{ "TypeInv", TypeInv },
	{ "UniqueASIDPerCPU", UniqueASIDPerCPU },
	{ "SameASIDActiveTask", SameASIDActiveTask },
	{ "UniqueGlobalASID", UniqueGlobalASID },
	{ "AllAccountedFor", AllAccountedFor },
	{ 0 },
};

/* --- what has to be seen --- */

static bool none_gone(void)
{
	unsigned c;

	for (c = 0; c < limits.cpus; c++)
		if (cpus[c].gone >> SLOTS)
			return false;
	return true;
}

static bool nothing_due(void)
{
	unsigned c;

	for (c = 0; c < limits.cpus; c++)
		if (cpus[c].due)
			return false;
	return true;
}

static bool some_left(void)
{
	return machine.asids.available.raw;
}

static bool enough(void)
{
	return limits.mms + SLOTS < limits.tags;
}

static const struct invariant witnesses[] = {
	{ "an entry of an mm that has ended, under its global ASID", none_gone },
	{ "a rollover", nothing_due },
	{ "no ASID left", some_left, enough },
	{ 0 },
};

static bool name_word(char *buf, size_t size, const struct word *w, u64 value)
{
	unsigned m;

	*buf = '\0';
	if (w == &machine.asids.lock.held)
		snprintf(buf, size, "the lock: %u", (unsigned)value);
	else if (w == &machine.asids.available)
		snprintf(buf, size, "available: %u", (unsigned)value);
	for (m = 0; m < limits.mms; m++)
		if (w == &mms[m].global_asid)
			snprintf(buf, size, "%c's global ASID: %u", 'A' + m, (unsigned)value);
		else if (w == &mms[m].moving)
			snprintf(buf, size, "%c moving: %u", 'A' + m, (unsigned)value);
	return *buf;
}

const struct model global_asids = {
	.name = "global",
	.help = "tagging global",
	.shared_words = 3,
	.begin = begin,
	.code_shared = code_shared,
	.code_mm = code_mm,
	.settle = fill,
	.lock = &machine.asids.lock,
	.under_lock = under_lock,
	.beyond = beyond,
	.invariants = invariants,
	.witnesses = witnesses,
	.name_word = name_word,
};
