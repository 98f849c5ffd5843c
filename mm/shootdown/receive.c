/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a CPU does with a request: the target in its interrupt handler, the initiator for itself. Interrupts are off. No state of
 * its own. The rules follow Linux arch/x86/mm/tlb.c, flush_tlb_func().
 *
 * Three generations are at play: mm->tlb_gen (the latest), what this CPU has reached (tagging), and req->new_gen (what the request
 * would bring it to).
 */
#include "arch/tlb.h"
#include "check.h"
#include "machine.h"
#include "mm/switch.h"

COUNTER(flush_full, "flushes of a whole tag");
COUNTER(flush_range, "flushes page by page");
COUNTER(flush_pages, "pages in those");
COUNTER(flush_kernel, "flushes of kernel entries");
COUNTER(flush_skipped, "requests found done already by a later, wider flush");
COUNTER(not_loaded, "requests for an mm that the target does not run");
COUNTER(lazy_left, "requests that made a lazy CPU load the kernel's root");

static u64 pages_of(const struct request *req)
{
	return (req->end.raw - req->start.raw) >> req->stride_shift;
}

static void receive_kernel(const struct request *req)
{
	count(&counter_flush_kernel, 1);
	if (req->full || req->freed_tables)
		tlb_flush_everything();
	else
		tlb_flush_kernel_range(req->start, pages_of(req), req->stride_shift);
}

/*
 * Brings the loaded mm up to date. A partial flush may stand for the request's generation only if this CPU is exactly one behind it: with two
 * requests on their way, 1->2 (full) and 2->3 (one page), served in reverse, doing the page and recording 3 would lose the
 * full one for good. That it is also the latest is an optimisation: else do one full flush now and be done with all.
 */
static void catch_up(const struct request *req, struct mm *mm)
{
	const struct strategy *s = strategy_now();
	u64 reached = s->tagging->reached(mm), latest;

	if (req->new_gen && req->new_gen <= reached) {
		count(&counter_flush_skipped, 1);
		return;
	}
	/* Read before flushing: what is incremented during the flush must not be recorded as done. */
	latest = load_acquire(&mm->tlb_gen);
	if (reached == latest && req->new_gen) {
		count(&counter_flush_skipped, 1);
		return;
	}
	if (!req->full && req->new_gen == reached + 1 && req->new_gen == latest) {
		count(&counter_flush_range, 1);
		count(&counter_flush_pages, pages_of(req));
		tlb_flush_range(req->start, pages_of(req), req->stride_shift);
	} else {
		count(&counter_flush_full, 1);
		tlb_flush_tag(s->tables->root(mm), (struct tag){ .asid = this_cpu()->tlb.asid, .flush = true });
	}
	s->tagging->flushed(mm, latest);
}

void receive_request(const void *arg)
{
	const struct request *req = arg;
	struct mm *loaded;

	if (req->kernel) {
		receive_kernel(req);
		return;
	}
	loaded = loaded_mm(); /* never SWITCHING here: a switch has interrupts off */
	if (req->mm && loaded != req->mm) {
		/* Safe: should this CPU load it again, the generation tells. */
		count(&counter_not_loaded, 1);
		strategy_now()->tracker->left(req->mm);
		return;
	}
	if (loaded->kernel)
		return;
	if (load_relaxed(&this_cpu()->tlb.lazy)) {
		/* Nothing of the mm is needed here now; without its root no more requests come, and no table of it is walked. */
		count(&counter_lazy_left, 1);
		switch_to_kernel();
		return;
	}
	CHECK(!req->leave); /* an mm ends only when nobody runs it */
	catch_up(req, loaded);
}
