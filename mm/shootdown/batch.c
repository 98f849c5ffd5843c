/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Choice "batch" (Linux arch_tlbbatch_add_pending(), try_to_unmap_flush()): pages that are reclaimed wait, and one flush without an
 * mm serves them all. Only changes that promise nothing at their return may join (CHANGE_RECLAIM).
 *
 * State: the batch of each CPU, that CPU's alone; mm->gathers, of which each page that waits keeps one.
 *
 * Why others are safe: each change has incremented its mm's generation before it joined, so a CPU that is left out (lazy, or
 * running another mm) catches up by itself, or the change was broadcast when it joined, and this CPU waits for it in the end; and
 * a zap or protect that finds an entry gone sees mm->gathers > 1 and flushes for itself before it returns. That count takes the
 * place of Linux's tlb_flush_batched word (3ea277194daa: without it, mprotect() returned while a CPU could still write).
 */
#include "check.h"
#include "machine.h"
#include "mm/batch.h"
#include "mm/gather.h"

COUNTER(batch_joined, "changes whose flush waited for others");
COUNTER(batch_flushes, "flushes of a batch");

static unsigned find_mm(struct batch_state *b, struct mm *mm)
{
	unsigned i;

	for (i = 0; i < b->nr_mms && b->mms[i].mm != mm; i++)
		;
	return i;
}

/* Into `holders`: who may have entries of the mm. False: no other CPU has. */
static bool others_hold(const struct request *req, struct cpumask *holders)
{
	unsigned self = this_cpu()->id;
	bool mine, others;

	strategy_now()->tracker->holders(req, holders);
	mine = cpumask_test(holders, self);
	cpumask_clear(holders, self);
	others = !cpumask_empty(holders);
	if (mine)
		cpumask_set(holders, self);
	return others;
}

static bool batch_joins(struct gather *g, struct flight *flight, enum take take)
{
	struct batch_state *b = &this_cpu()->batch;
	const struct strategy *s = strategy_now();
	const struct request *req = &flight->req;
	/* With one broadcast of everything in the end nobody has to be known before. */
	bool all = s->policies & POLICY_BATCH_ALL, targets = has_targets(s, take) && !all;
	bool broadcast = s->transport->broadcasts && take & TAKE && !all;
	struct frame *f;
	unsigned i;

	if (req->change != CHANGE_RECLAIM || req->freed_tables || !s->value[STAGE_BATCH])
		return false;
	/*
	 * After the generation was incremented, as for a flush at once: who is not found here reads the new one. With nobody to
	 * interrupt there is nothing to save (Linux should_defer_flush()); nor with nobody to broadcast to, where that is known.
	 */
	if ((targets || all) && !others_hold(req, &flight->targets) && (!broadcast || s->traits & SEES_ALONE))
		return false;
	i = find_mm(b, req->mm);
	CHECK(i < BATCH_MMS); /* batch_prepare() */
	if (i == b->nr_mms)
		b->mms[b->nr_mms++].mm = req->mm;
	b->mms[i].gathers++;
	if (targets)
		cpumask_or(&b->holders, &flight->targets);
	/* Under the tag that the mm has now; the wait for it is the batch's. */
	if (broadcast)
		s->transport->issue(flight);
	while ((f = frame_list_pop(&g->frames)))
		frame_list_push(&b->frames, f);
	count(&counter_batch_joined, 1);
	return true;
}

void batch_prepare(struct mm *mm)
{
	struct batch_state *b = &this_cpu()->batch;

	if (find_mm(b, mm) == BATCH_MMS)
		batch_flush();
}

void batch_settle(void)
{
	if (this_cpu()->batch.frames.n >= strategy_now()->value[STAGE_BATCH])
		batch_flush();
}

void batch_flush(void)
{
	struct cpu *cpu = this_cpu();
	struct batch_state *b = &cpu->batch;
	unsigned i;

	if (!b->nr_mms)
		return;
	count(&counter_batch_flushes, 1);
	gather_flush_batch(&b->holders, &b->frames);
	/* The flush has ended before the pages stop being counted. */
	for (i = 0; i < b->nr_mms; i++) {
		add_full(&b->mms[i].mm->gathers, -b->mms[i].gathers);
		b->mms[i].gathers = 0;
	}
	b->nr_mms = 0;
	cpumask_zero(&b->holders);
}

void batch_forget(struct mm *mm)
{
	if (find_mm(&this_cpu()->batch, mm) < this_cpu()->batch.nr_mms)
		batch_flush();
	CHECK(!load_relaxed(&mm->gathers)); /* nor in another CPU's batch */
}

static const struct batch batch = { .joins = batch_joins };

CHOICE(batch, .stage = STAGE_BATCH, .name = "batch", .takes_value = true, .min = 0, .max = 4096, .def = 32, .needs = MAY_WAIT,
       .batch = &batch, .help = "pages that are reclaimed wait, at most so many, and are flushed together; 0: at once");
