/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Policy "early-ack": a target acknowledges a request first and flushes right after, still in its handler, so that the initiator
 * waits for an interrupt only, not for a flush too (FreeBSD since 2020; "Don't shoot down TLB shootdowns!", EuroSys 2020). No
 * state.
 *
 *	a target, interrupts off		the initiator
 *						change the PTE, increment mm->tlb_gen
 *						queue the request, interrupt
 *	copy the request
 *	acknowledge (release)			see it (acquire), return
 *	flush					free and reuse the frame, write the next request
 *	interrupts on, or return to a wait
 *
 * Not allowed: a use of the old entry by the target after it has acknowledged. There is none where all of this holds:
 *  - No table is freed. The target leaves the entry alone until it has flushed, but its walker may go on by itself, at any time,
 *    from a cached table. With the tables still there it finds the PTE as it is now, so nothing old is filled any more; and if they
 *    are freed next, that request waits for this CPU too. Speculation may read through the old entry what the frame holds next;
 *    that is not architectural. (The end of an mm frees tables.)
 *  - The range is not the kernel's: the rest of the handler would use it, and an NMI's, had they a stack, a queue or a request
 *    there. Neither touches user addresses. Code that does so with interrupts off, and serves requests in wait_until(), goes on
 *    when call_serve() has returned: after the flush.
 *  - This CPU runs the mm, not lazily. An mm ends only when nobody runs it, so it is there for tagging.due() until the handler has
 *    returned. One that this CPU does not run may have ended: with two requests for it at once the first clears this CPU's bit, so
 *    that the end is not announced here, and tracker.left() of the second would look for the bit in a frame that is something else
 *    by then. A lazy one has nothing to flush; it leaves the mm, and the initiator may as well wait for that.
 * What is needed of the request is copied before: it is the flight's, which the initiator writes again at once. A batch's flush
 * names no mm and is acknowledged late.
 *
 * Generations are as exact as before. due() may read a later one than before the acknowledgement: then it flushes all, and records
 * what it read before it flushed. What this CPU has not flushed it has not recorded, whatever its initiator was told.
 */
#include "machine.h"

COUNTER(acked_early, "requests acknowledged before they were done");

/* loaded and lazy are this CPU's: receive_request() finds them as they are here. */
static bool may_wait(const struct request *req)
{
	struct tlb_state *tlb = &this_cpu()->tlb;

	return !req->freed_tables && !req->kernel && load_relaxed(&tlb->loaded) == (u64)req->mm && !load_relaxed(&tlb->lazy);
}

void receive_early(struct call_node *call)
{
	const struct request req = *(const struct request *)call_arg(call);
	bool early = may_wait(&req);

	if (early) {
		call_done(call);
		count(&counter_acked_early, 1);
	}
	receive_request(&req);
	if (!early)
		call_done(call);
}

CHOICE(early_ack, .stage = STAGE_POLICY, .name = "early-ack", .needs = INTERRUPTS, .policy = POLICY_EARLY_ACK,
       .help = "targets acknowledge, then flush, unless tables are freed, the range is the kernel's, or they don't run the mm");
