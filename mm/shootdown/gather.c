/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The corridor: every removal of a translation passes here, in the order unhook, invalidate, free (as Linux
 * include/asm-generic/tlb.h).
 *
 * State: struct gather of the caller, struct flight of this CPU (one at a time), mm->gathers.
 *
 * Invariant: a frame or table queued here is on no other list, and is handed to the completion stage after the transport has said
 * that no CPU can use a translation to it any more.
 */
#include "check.h"
#include "machine.h"
#include "mm/gather.h"
#include "smp/crumb.h"

COUNTER(shootdowns, "flush requests issued");

void gather_open(struct gather *g, struct mm *mm, struct va start, struct va end, enum change change)
{
	struct flight *flight = &this_cpu()->flight;

	CHECK(!flight->open);
	*g = (struct gather){ .mm = mm, .start = start, .end = end, .lo = end, .hi = start, .flight = flight };
	flight->open = true;
	flight->req.mm = mm;
	flight->req.change = change;
	flight->req.start = start;
	flight->req.end = end;
	/*
	 * Full order: counted before any entry is read. Partner: the load in request_build(), which is after the loads of entries
	 * (pte_read() has acquire order). Of two gathers over one entry the one that finds it gone already thus sees the other's
	 * count, and does not return before the translation is dead.
	 */
	add_full(&mm->gathers, 1);
	strategy_now()->transport->hold(flight);
}

/* [va, va + size) has to be flushed. */
static void note(struct gather *g, struct va va, unsigned level)
{
	bool first = g->lo.raw >= g->hi.raw;

	g->mixed |= !first && pt_shift(level) != g->stride_shift;
	if (first || pt_shift(level) < g->stride_shift)
		g->stride_shift = pt_shift(level);
	g->lo.raw = MIN(g->lo.raw, va.raw);
	g->hi.raw = MAX(g->hi.raw, va.raw + (1ull << pt_shift(level)));
}

static void queue(struct frame_list *list, struct pa pa)
{
	struct frame *f = frame_of(pa);

	CHECK(f->state == FRAME_DATA || f->state == FRAME_TABLE);
	f->state = FRAME_GATHERED;
	frame_list_push(list, f);
}

struct pte gather_clear(struct gather *g, struct pte_slot *slot, struct va va, unsigned level)
{
	struct pte old = pte_exchange(slot, pte_none());

	if (pte_is_none(old)) {
		g->found_none = true;
		return old;
	}
	note(g, va, level);
	queue(&g->frames, pte_pa(old, level));
	return old;
}

struct pte gather_change(struct gather *g, struct pte_slot *slot, struct va va, unsigned level, struct pte pte, bool queue_old)
{
	struct pte old;

	/* Again if a walker set A or D in between: the bits it set are not lost. */
	do {
		old = pte_read(slot);
		if (!queue_old)
			pte = pte_with_prot(old, pte_prot(pte), level);
	} while (!pte_replace(slot, old, pte));
	CHECK(!queue_old || pte_pa(old, level).raw != pte_pa(pte, level).raw);
	/* Rights that were only added need no flush: a fault that the old entry causes is found spurious. */
	if (pte_pa(old, level).raw != pte_pa(pte, level).raw || (pte_prot(old) & ~pte_prot(pte)))
		note(g, va, level);
	if (queue_old)
		queue(&g->frames, pte_pa(old, level));
	return old;
}

void gather_table(struct gather *g, struct pte_slot *slot, struct va va, unsigned level)
{
	struct pte old = pte_exchange(slot, pte_none());

	CHECK(pte_is_table(old, level));
	/* The walk caches have to go: one page of the span is enough to flush for that, the leaves were noted by themselves. */
	note(g, va, 0);
	g->freed_tables = true;
	queue(&g->tables, pte_pa(old, level));
}

/* What has to be flushed, as data. False: nothing. */
static bool request_build(struct gather *g, struct request *req)
{
	struct mm *mm = g->mm;

	/*
	 * Somebody else took an entry away that this caller promises to be gone, and may still be flushing it. A protect has to
	 * think of that also where the entry is there again: the old one may wait in a batch, with the rights that are taken away.
	 */
	if ((g->found_none || req->change == CHANGE_PROTECT) && load_relaxed(&mm->gathers) > 1) {
		note(g, g->start, 0);
		g->mixed = true; /* of what size the other one's leaves were is not known here */
		g->lo = g->start;
		g->hi = g->end;
	}
	if (g->lo.raw >= g->hi.raw && req->change != CHANGE_EXIT)
		return false;
	req->start = g->lo;
	req->end = g->hi;
	req->stride_shift = g->stride_shift;
	req->full = req->change == CHANGE_EXIT;
	req->freed_tables = g->freed_tables || req->full;
	req->mixed = g->mixed;
	req->kernel = mm->kernel;
	req->trim = false;
	/*
	 * Full order: the PTE stores above before the increment, the increment before the reads of mm_cpumask, loaded, lazy and the
	 * mm's tag below. Partners: the barriers in the trackers' switch_in() and in switch_same(), where a CPU announces itself
	 * and then reads tlb_gen; for walks by a CPU that is not seen here, the load of its root (tlb_load_root()). Not allowed: it
	 * reads the old generation, or its walker an old entry, and it is not seen here, or not under the tag that it has by then.
	 */
	pte_publish(has_targets(strategy_now(), TAKE) || req->change == CHANGE_EXIT);
	req->new_gen = add_full(&mm->tlb_gen, 1);
	return true;
}

/* Three are inline in both of their callers: a call, and what it saves, is up to fifteen instructions of the hot path. */
#define HOT static inline __attribute__((always_inline)) void

/* Who must flush, of the holders in flight->targets: everybody else stays there, this CPU goes into flight->local. */
HOT filter_targets(const struct strategy *s, struct flight *flight, enum take take)
{
	struct request *req = &flight->req;
	unsigned self = this_cpu()->id, i;

	flight->local = cpumask_test(&flight->targets, self);
	cpumask_clear(&flight->targets, self);
	/* A walk cache has no generation to catch up by while the root stays loaded: nobody is left out when tables are freed. */
	if (!req->freed_tables && !req->kernel && !(take & UNFILTERED))
		for (i = 0; i < s->nr_filters; i++)
			s->filter[i]->apply(req, &flight->targets);
}

static void find_targets(const struct strategy *s, struct flight *flight, enum take take)
{
	if (!has_targets(s, take)) {
		flight->local = false; /* and nobody looks at targets */
		return;
	}
	if (flight->req.kernel)
		cpumask_copy(&flight->targets, &machine.smp.online);
	else
		s->tracker->holders(&flight->req, &flight->targets);
	filter_targets(s, flight, take);
}

/* `local` is written by this CPU outside of interrupts only. */
HOT flush_self(struct flight *flight)
{
	bool irqs;

	if (!flight->local)
		return;
	irqs = irq_save_for("its own flush");
	receive_request(&flight->req);
	irq_restore(irqs);
}

HOT fly(const struct strategy *s, struct flight *flight, enum take take)
{
	count(&counter_shootdowns, 1);
	if (take & PASS)
		s->fallback->issue(flight);
	if (take & TAKE)
		s->transport->issue(flight);
	if (s->policies & POLICY_OVERLAP)
		flush_self(flight);
	/* Own completion last (TLBSYNC after the interrupts were acknowledged): the two waits overlap. */
	if (take & PASS)
		s->fallback->sync(flight);
	if (take & TAKE)
		s->transport->sync(flight);
	if (!(s->policies & POLICY_OVERLAP))
		flush_self(flight);
}

void gather_close(struct gather *g)
{
	const struct strategy *s = strategy_now();
	struct flight *flight = g->flight;
	bool due = request_build(g, &flight->req), joined = false;
	enum take take = PASS;

	if (due) {
		s->scope->choose(&flight->req, s->value[STAGE_SCOPE]);
		take = s->transport->takes(&flight->req);
		joined = s->batch->joins(g, flight, take);
	}
	if (due && !joined) {
		find_targets(s, flight, take);
		fly(s, flight, take);
		s->transport->after(flight);
	} else {
		s->transport->drop(flight);
	}
	/* Full order: the flush has ended before this gather stops being counted; one in a batch is counted until that has. */
	if (!joined)
		add_full(&g->mm->gathers, -1ull);
	/* The mm itself may be gone after retire(). */
	if (due && !joined) {
		if (flight->req.change == CHANGE_EXIT)
			s->tagging->release(g->mm);
		s->completion->retire(flight, &g->frames, &g->tables);
	}
	flight->open = false;
}

void gather_flush_batch(const struct cpumask *holders, struct frame_list *frames)
{
	const struct strategy *s = strategy_now();
	struct flight *flight = &this_cpu()->flight;
	struct frame_list tables = { 0 };
	enum take take;

	CHECK(!flight->open);
	flight->open = true;
	/* No generation of its own: those of the mms were incremented when their pages joined. */
	flight->req = (struct request){ .change = CHANGE_RECLAIM, .full = true };
	take = s->transport->takes(&flight->req);
	cpumask_copy(&flight->targets, holders);
	filter_targets(s, flight, take);
	fly(s, flight, take);
	s->transport->after(flight);
	s->completion->retire(flight, frames, &tables);
	flight->open = false;
}
