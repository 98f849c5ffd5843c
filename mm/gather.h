/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The corridor's face: every removal of a translation, or of rights of one, is a transaction
 *
 *	gather_open(mm, start, end, change)   may hold the targets before the edit (quiesce)
 *	gather_clear / gather_change / gather_table   per entry: exchange it, queue the frame or the table
 *	gather_close(g)                       generation, targets, invalidate, wait; only then are frames and tables reused
 *
 * One gather at a time per CPU. The caller holds mm->lock (see mm.h).
 */
#ifndef MM_GATHER_H
#define MM_GATHER_H

#include "mm/frame.h"
#include "mm/mm.h"
#include "mm/shootdown/strategy.h"

struct gather {
	struct mm *mm;
	struct va start, end; /* what the caller is about to change */
	struct va lo, hi; /* hull of what was changed; lo >= hi: nothing */
	unsigned stride_shift; /* smallest leaf changed */
	bool freed_tables;
	bool mixed; /* leaves of several sizes were, or what size is not known */
	bool found_none; /* an entry was absent already: somebody else may still be flushing it */
	struct frame_list frames, tables; /* not reusable before the flush has ended */
	struct flight *flight; /* this CPU's; flight->req.change says what kind of change */
};

void gather_open(struct gather *g, struct mm *mm, struct va start, struct va end, enum change change);

/* Leaf at va := none. The old frame is queued. Returns the old entry (none: there was nothing). */
struct pte gather_clear(struct gather *g, struct pte_slot *slot, struct va va, unsigned level);

/* Leaf at va: another frame, or other rights. The old frame is queued if `queue`. Returns the old entry, A and D as last seen. */
struct pte gather_change(struct gather *g, struct pte_slot *slot, struct va va, unsigned level, struct pte pte, bool queue);

/* Entry that points to a table covering va: none; the table is queued. Every leaf in it is gone already. */
void gather_table(struct gather *g, struct pte_slot *slot, struct va va, unsigned level);

void gather_close(struct gather *g);

/* For batch.c: one flush without an mm for `holders` (self included), then the frames are retired. */
void gather_flush_batch(const struct cpumask *holders, struct frame_list *frames);

#endif
