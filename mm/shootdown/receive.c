/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a CPU does with a request: the target in its interrupt handler, the initiator for itself. Interrupts are off. No state of
 * its own. The rules are those of Linux arch/x86/mm/tlb.c, flush_tlb_func(), in this order: a kernel range; an mm that is not
 * loaded; KMM; lazy; and then what the tagging says is due (a global ASID among it: 4afeb0ed1753 looked for that before lazy).
 */
#include "arch/tlb.h"
#include "check.h"
#include "machine.h"
#include "mm/switch.h"

COUNTER(flush_full, "flushes of a whole tag");
COUNTER(flush_range, "flushes page by page");
COUNTER(pages_flushed, "pages in those");
COUNTER(flush_kernel, "flushes of kernel entries");
COUNTER(requests_done, "requests found done already by a later, wider flush");
COUNTER(not_loaded, "requests for an mm that the target does not run");
COUNTER(lazy_left, "requests that made a lazy CPU load the kernel's root");

static u64 pages_of(const struct request *req)
{
	return (req->end.raw - req->start.raw) >> req->stride_shift;
}

static __attribute__((noinline)) void receive_kernel(const struct request *req)
{
	count(&counter_flush_kernel, 1);
	if (req->full || req->freed_tables)
		tlb_flush_everything();
	else
		tlb_flush_kernel_range(req->start, pages_of(req), req->stride_shift, request_of_one_size(strategy_now(), req));
}

static __attribute__((noinline)) void flush_tag(struct mm *mm)
{
	count(&counter_flush_full, 1);
	tlb_flush_tag(strategy_now()->tables->root(mm), (struct tag){ .asid = loaded_asid(), .flush = true });
}

/* In the hot path of its callers: without two calls, and what they save, each is seven instructions shorter. */
static inline __attribute__((always_inline)) void receive_here(const struct request *req, struct mm *mm)
{
	const struct tagging *tagging = strategy_now()->tagging;
	struct due due = tagging->due(mm, req);

	switch (due.what) {
	case DUE_NOTHING:
		count(&counter_requests_done, 1);
		return;
	case DUE_RANGE:
		count(&counter_flush_range, 1);
		count(&counter_pages_flushed, pages_of(req));
		tlb_flush_range(req->start, pages_of(req), req->stride_shift, request_of_one_size(strategy_now(), req));
		break;
	case DUE_TAG:
		flush_tag(mm);
		break;
	case DUE_ENTER:
		switch_tag(mm);
		return;
	}
	tagging->flushed(mm, due.gen);
}

/* The CPU does not run the mm of the request: it has another one loaded, or is lazy. Or the request is a batch's, of any mms. */
static __attribute__((noinline)) void receive_elsewhere(const struct request *req, struct mm *loaded)
{
	if (req->mm && loaded != req->mm) {
		count(&counter_not_loaded, 1);
		/* In this order: nobody asks this CPU again. */
		strategy_now()->tagging->not_loaded(req->mm);
		strategy_now()->tracker->left(req->mm);
	} else if (loaded->kernel) {
		count(&counter_not_loaded, 1);
	} else if (!load_relaxed(&this_cpu()->tlb.lazy)) {
		receive_here(req, loaded);
	} else {
		/*
		 * Lazy. Nothing of the mm is needed here now; without its root no more requests come, and no table of it is walked.
		 */
		count(&counter_lazy_left, 1);
		switch_from_lazy();
		strategy_now()->tagging->not_loaded(loaded);
	}
}

static inline __attribute__((always_inline)) void receive(const struct request *req)
{
	struct tlb_state *tlb = &this_cpu()->tlb;
	struct mm *loaded = (struct mm *)load_relaxed(&tlb->loaded); /* never SWITCHING here: a switch has interrupts off */

	if (req->kernel) {
		receive_kernel(req);
	} else if (loaded != req->mm || load_relaxed(&tlb->lazy)) {
		receive_elsewhere(req, loaded);
	} else {
		CHECK(req->change != CHANGE_EXIT); /* an mm ends only when nobody runs it */
		receive_here(req, loaded);
	}
}

void receive_request(const struct request *req)
{
	receive(req);
}

void receive_call(struct call_node *call)
{
	receive(call_arg(call));
	call_done(call);
}
