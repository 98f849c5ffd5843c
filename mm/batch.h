/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batched unmap: changes whose flush may wait (reclaim), collected on the CPU that makes them. State of choice "batch" per CPU.
 */
#ifndef MM_BATCH_H
#define MM_BATCH_H

#include "mm/frame.h"
#include "smp/cpumask.h"
#include "types.h"

struct mm;

#define BATCH_MMS 8

struct batch_state {
	struct cpumask holders; /* of all mms in it, as they were when their pages joined; self included */
	struct frame_list frames; /* not reusable before the flush */
	struct {
		struct mm *mm;
		u64 gathers; /* so many of its mm->gathers are this batch's */
	} mms[BATCH_MMS];
	unsigned nr_mms;
};

/* Before a change of mm that may join: makes room for it. */
void batch_prepare(struct mm *mm);

/* After it: flushes if the batch has become as large as the strategy allows. */
void batch_settle(void);

/*
 * Flushes what this CPU has collected: afterwards nobody uses those pages any more, and their frames are reusable. Nothing to do is
 * fine. No gather is open here.
 */
void batch_flush(void);

/* The mm is about to end: none of its pages may be waiting. */
void batch_forget(struct mm *mm);

#endif
