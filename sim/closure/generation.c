/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tagging "generation" (mm/asid/generation.c) to closure: CPUs that switch between mms, and a flusher that changes the page of one
 * of them, by transport "broadcast" or by interrupts. The invariants and the shape are those of kernel-tla's asidalloc (Catalin
 * Marinas), by their names there. What differs: the C itself runs, and the page is mapped again after its flush.
 */
#include <stdio.h>
#include <string.h>

#include "arch/broadcast.h"
#include "arch/tlb.h"
#include "check.h"
#include "mm/shootdown/broadcast.h"
#include "mm/shootdown/stages.h"
#include "sim/closure/hardware.h"

extern const struct choice choice_generation, choice_transport_broadcast;

/* CPUs by bit, with flushes by interrupts: mm_cpumask; whom the flush under way waits for. */
static unsigned holders[NR_MMS], asked[NR_MMS];

static bool flushed; /* the flush has ended */

static const struct tagging *tagging;
static const struct transport *transport;
static struct mm kmm = { .kernel = true };

/*
 * Everywhere at once. Had one CPU not dropped its entries yet, it would be as if the flusher had not come this far; and the
 * page is filled from no more, so when the wait is over the mm's entries are the same, and others' at most fewer.
 */
void broadcast_issue(const struct request *req, unsigned asid)
{
	unsigned c;

	(void)req;
	closure_step();
	closure_note("broadcasts: ASID %u is dropped", asid);
	for (c = 0; c < limits.cpus; c++)
		drop(c, 1u << asid);
}

/* As above. Flushes that free tables ask for it; those here free none yet. */
void broadcast_issue_all(void)
{
	unsigned c;

	closure_step();
	closure_note("broadcasts: every ASID is dropped");
	for (c = 0; c < limits.cpus; c++)
		drop(c, (1u << limits.tags) - 1);
}

void broadcast_wait(struct flight *flight)
{
	(void)flight;
}

void broadcast_sweep(void)
{
}

/* --- what the kernel does around the hooks --- */

static bool may_enter(unsigned cpu, int m)
{
	return cpus[cpu].loaded != m;
}

static bool may_idle(unsigned cpu, int m)
{
	return limits.idle && cpus[cpu].loaded != m;
}

static void enter_mm(void)
{
	struct tag tag;

	if (!transport) {
		closure_step();
		holders[threads[this_thread].mm] |= 1u << this_thread;
		closure_note("sets its bit in mm_cpumask");
	}
	tag = tagging->enter(this_op_mm(), 0);
	if (tag.flush || !tag.asid || tag.asid >= limits.tags)
		violation("TypeInv", "the mm is entered under ASID %u", tag.asid);
	load_root(tag);
}

static void go_idle(void)
{
	load_root(tagging->enter(&kmm, 0));
}

static bool may_serve(unsigned cpu, int m)
{
	return asked[m] & 1u << cpu;
}

static void flush_loaded(void)
{
	struct request req = { .mm = this_op_mm() };

	if (!tagging->settled(this_op_mm(), 0))
		violation("settled", "the mm that is loaded is not under its ASID");
	if (tagging->due(this_op_mm(), &req).what != DUE_RANGE)
		violation("due", "a request for the mm that is loaded is not carried out");
	closure_step();
	closure_note("drops its entries under ASID %u", loaded_asid());
	drop(this_thread, 1u << loaded_asid());
}

/* receive_request(), and the acknowledgement. */
static void serve(void)
{
	bool loaded = cpus[this_thread].loaded == threads[this_thread].mm;

	if (loaded)
		flush_loaded();
	else
		tagging->not_loaded(this_op_mm());
	closure_step();
	if (!loaded)
		holders[threads[this_thread].mm] &= ~(1u << this_thread);
	asked[threads[this_thread].mm] &= ~(1u << this_thread);
	closure_note("acknowledges%s", loaded ? "" : ", and leaves mm_cpumask");
}

static void clear_entry(void)
{
	closure_step();
	pages[threads[this_thread].mm].mapped = false;
	closure_note("clears the entry");
}

/* No entry of before may be used from now on; and the page is mapped again. */
static void end_flush(void)
{
	unsigned m = (unsigned)threads[this_thread].mm, c;

	for (c = 0; c < limits.cpus; c++) {
		pages[m].before[c] |= pages[m].now[c];
		pages[m].now[c] = 0;
	}
	pages[m].mapped = true;
	flushed = true;
	closure_note("the flush has ended");
}

static void flush_by_broadcast(void)
{
	struct flight *flight = &this_cpu()->flight;

	flight->req.mm = this_op_mm();
	transport->hold(flight);
	clear_entry();
	transport->issue(flight);
	transport->sync(flight);
	end_flush();
	flight->req.mm = NULL;
}

static void flush_by_interrupts(void)
{
	clear_entry();
	closure_step();
	asked[threads[this_thread].mm] = holders[threads[this_thread].mm];
	closure_note("asks %x of the CPUs", asked[threads[this_thread].mm]);
	do
		closure_step();
	while (asked[threads[this_thread].mm]);
	end_flush();
}

static bool may_flush(unsigned thread, int m)
{
	(void)thread, (void)m;
	return !flushed;
}

static const struct op cpu_ops[] = {
	{ "enters", true, may_enter, enter_mm },
	{ "goes idle", false, may_idle, go_idle },
	{ "serves a flush of", true, may_serve, serve },
	{ 0 },
};
static const struct op broadcast_ops[] = { { "flushes", true, may_flush, flush_by_broadcast }, { 0 } };
static const struct op interrupt_ops[] = { { "flushes", true, may_flush, flush_by_interrupts }, { 0 } };

/* --- the state --- */

static void begin(const struct transport *by)
{
	static const struct tracker mask = { .renewed = tracker_keep }; /* what generation.c asks of it */
	static struct strategy strategy = { .tracker = &mask };
	unsigned c;

	hardware_begin();
	tagging = choice_generation.tagging;
	transport = strategy.transport = by;
	machine.shootdown.strategy = &strategy;
	machine.smp.nr_cpus = limits.cpus;
	for (c = 0; c < limits.cpus; c++)
		ops_of[c] = cpu_ops;
	if (limits.flusher)
		ops_of[FLUSHER] = by ? broadcast_ops : interrupt_ops;
	tagging->reset();
}

static void begin_by_broadcast(void)
{
	begin(choice_transport_broadcast.transport);
}

static void begin_by_interrupts(void)
{
	begin(NULL);
}

static u64 coded_id(struct codec *k, u64 id)
{
	u64 generation = coded(k, 3, id / ASID_SPACE);

	return generation * ASID_SPACE + coded(k, 3, asid_of_id(id));
}

static void code_tlb(struct codec *k, struct tlb_state *tlb)
{
	tlb->active.raw = coded_id(k, tlb->active.raw);
	tlb->reserved = coded_id(k, tlb->reserved);
	tlb->flush_pending = coded(k, 1, tlb->flush_pending);
}

static void code_shared(struct codec *k)
{
	struct generations_state *g = &machine.generations;
	unsigned c;

	g->lock.held.raw = coded(k, 1, g->lock.held.raw);
	g->now.raw = coded(k, 3, g->now.raw / ASID_SPACE) * ASID_SPACE;
	flushed = coded(k, 1, flushed);
	g->next = (unsigned)coded(k, 4, g->next);
	g->used[0] = coded(k, 8, g->used[0]);
	for (c = 0; c < limits.cpus; c++) {
		code_tlb(k, &machine.cpu[c].tlb);
		code_cpu(k, c);
	}
	for (c = 0; c <= limits.cpus; c++) /* a choice that is broken on purpose may use it */
		machine.cpu[c].tlb.next_tag = (unsigned)coded(k, 3, machine.cpu[c].tlb.next_tag);
	if (k->taking)
		machine.cpu[FLUSHER].flight.req.mm = NULL;
}

static void code_mm(struct codec *k, unsigned m)
{
	code_page(k, m);
	mms[m].tag_id.raw = coded_id(k, mms[m].tag_id.raw);
	if (!transport) {
		holders[m] = (unsigned)coded(k, CPUS, holders[m]);
		asked[m] = (unsigned)coded(k, CPUS, asked[m]);
	}
	if (k->taking && transport && threads[FLUSHER].mm == (int)m)
		machine.cpu[FLUSHER].flight.req.mm = &mms[m];
}

static bool under_lock(const void *word)
{
	unsigned m;

	for (m = 0; m < limits.mms; m++)
		if (word == &mms[m].tag_id)
			return true;
	return word == &machine.generations.now;
}

/* That is being flushed, or has entries from before. */
static int watched(void)
{
	unsigned c, m;

	for (m = 0; m < limits.mms; m++)
		for (c = 0; c < limits.cpus; c++)
			if (threads[FLUSHER].mm == (int)m || pages[m].before[c])
				return (int)m;
	return NOBODY;
}

/*
 * One flush is enough. Another one would only take entries away, and the C sees nothing of it (by interrupts: but who is asked).
 * And from when it begins only the entries of its mm are of interest: without the flush everything else goes the same way.
 */
static void settle(void)
{
	int only = watched();
	unsigned c, m;

	fill();
	for (m = 0; only != NOBODY && m < limits.mms; m++)
		for (c = 0; c < limits.cpus && m != (unsigned)only; c++)
			pages[m].now[c] = 0;
}

static bool beyond(void)
{
	return machine.generations.now.raw / ASID_SPACE > limits.generations || (flushed && watched() == NOBODY);
}

/* --- the invariants --- */

static bool id_is_sane(u64 id)
{
	unsigned asid = asid_of_id(id);

	return !id || (asid && asid < limits.tags && id >= ASID_SPACE && id - asid <= machine.generations.now.raw);
}

static bool TypeInv(void)
{
	unsigned c, m;

	for (c = 0; c < limits.cpus; c++)
		if (!id_is_sane(machine.cpu[c].tlb.active.raw) || !id_is_sane(machine.cpu[c].tlb.reserved))
			return false;
	for (m = 0; m < limits.mms; m++)
		if (!id_is_sane(mms[m].tag_id.raw))
			return false;
	return machine.generations.next >= 1 && machine.generations.next <= limits.tags;
}

static unsigned held(unsigned m, unsigned c)
{
	return pages[m].now[c] | pages[m].before[c];
}

/* With CPUs that share their TLBs (CnP) only: over all of them mms and ASIDs correspond, one to one. */
static bool UniqueASIDAllCPUs(void)
{
	unsigned c, m, n, of_m, of_n;

	for (m = 0; m < limits.mms; m++) {
		for (of_m = 0, c = 0; c < limits.cpus; c++)
			of_m |= held(m, c);
		if (of_m & (of_m - 1))
			return false;
		for (n = 0; n < m; n++) {
			for (of_n = 0, c = 0; c < limits.cpus; c++)
				of_n |= held(n, c);
			if (of_m & of_n)
				return false;
		}
	}
	return true;
}

static bool SameASIDActiveTask(void)
{
	return active_agree(true);
}

static bool UniqueASIDActiveTask(void)
{
	return active_agree(false);
}

/* The ASIDs under which CPU c uses m's entries, now or without a flush before it does. Between two mms it uses none. */
static unsigned usable(unsigned c, unsigned m)
{
	unsigned asids = cpus[c].loaded == (int)m && !threads[c].busy ? 1u << cpus[c].asid : 0;

	return machine.cpu[c].tlb.flush_pending ? asids : asids | 1u << asid_of_id(mms[m].tag_id.raw);
}

static bool TLBEmptyInvalPTE(void)
{
	unsigned c, m;

	for (c = 0; c < limits.cpus; c++)
		for (m = 0; m < limits.mms; m++)
			if (pages[m].before[c] & usable(c, m)) {
				closure_note("CPU %u can use an entry of %c under ASID %d that a flush has ended for", c, 'A' + m,
					     __builtin_ctz(pages[m].before[c] & usable(c, m)));
				return false;
			}
	return true;
}

static const struct invariant invariants[] = {
	{ "TypeInv", TypeInv },
	{ "UniqueASIDPerCPU", UniqueASIDPerCPU },
	{ "SameASIDActiveTask", SameASIDActiveTask },
	{ "UniqueASIDActiveTask", UniqueASIDActiveTask },
	{ "TLBEmptyInvalPTE", TLBEmptyInvalPTE },
	{ 0 },
};

/* --- what has to be seen --- */

static bool nothing_pending(void)
{
	unsigned c;

	for (c = 0; c < limits.cpus; c++)
		if (machine.cpu[c].tlb.flush_pending)
			return false;
	return true;
}

/* Old entries that nobody uses may stay. */
static bool nothing_old(void)
{
	return !flushed || watched() == NOBODY;
}

static bool no_rollover(void)
{
	return limits.generations < 2 || limits.mms < limits.tags;
}

static bool no_old(void)
{
	return !limits.flusher || no_rollover();
}

static const struct invariant witnesses[] = {
	{ "a flush pending", nothing_pending, no_rollover },
	{ "an entry from before a flush that has ended, out of use", nothing_old, no_old },
	{ "UniqueASIDAllCPUs violated (this tagging is not for CPUs that share TLBs)", UniqueASIDAllCPUs, no_rollover },
	{ 0 },
};

static const char *id_text(u64 id)
{
	static char text[32];

	if (!id)
		return "none";
	snprintf(text, sizeof(text), "%u in generation %u", asid_of_id(id), (unsigned)(id / ASID_SPACE));
	return text;
}

static bool name_word(char *buf, size_t size, const struct word *w, u64 value)
{
	unsigned i;

	if (w == &machine.generations.now)
		snprintf(buf, size, "the generation: %u", (unsigned)(value / ASID_SPACE));
	else if (w == &machine.generations.lock.held)
		snprintf(buf, size, "the lock: %u", (unsigned)value);
	else
		*buf = '\0';
	for (i = 0; i < limits.mms; i++)
		if (w == &mms[i].tag_id)
			snprintf(buf, size, "%c's ASID: %s", 'A' + i, id_text(value));
	for (i = 0; i < limits.cpus; i++)
		if (w == &machine.cpu[i].tlb.active)
			snprintf(buf, size, "active of CPU %u: %s", i, id_text(value));
	return *buf;
}

#define COMMON                                                                                                    \
	.shared_words = 3, .code_shared = code_shared, .code_mm = code_mm, .settle = settle, .beyond = beyond,     \
	.lock = &machine.generations.lock, .under_lock = under_lock, .invariants = invariants,                     \
	.witnesses = witnesses, .name_word = name_word

const struct model generation_by_broadcast = {
	.name = "generation", .help = "tagging generation, flushes by transport broadcast", .begin = begin_by_broadcast, COMMON
};
const struct model generation_by_interrupts = {
	.name = "generation-ipi", .help = "tagging generation, flushes by interrupts", .begin = begin_by_interrupts, COMMON
};
