/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags that mean the same mm on every CPU: what a broadcast by tag needs. */
#ifndef MM_ASID_GLOBAL_H
#define MM_ASID_GLOBAL_H

#include "arch/atomic.h"
#include "smp/lock.h"
#include "types.h"

struct mm;

#define MAX_GLOBAL_ASIDS 4096 /* x86: PCIDs are 12 bits */

/* machine.asids; under the lock, but what is a word. */
struct asids_state {
	struct lock lock;
	unsigned first, end; /* of the space; below are the slots' */
	unsigned next; /* from here on the search goes; end: nothing was handed out yet, or all was */
	struct word available; /* not an mm's at the moment; read without the lock as a hint */
	u64 used[MAX_GLOBAL_ASIDS / 64]; /* handed out since the last rollover, or an mm's */
	u64 freed[MAX_GLOBAL_ASIDS / 64]; /* ... and not an mm's any more */
};

/*
 * Gives mm a global ASID, if it has none and there is one. The CPUs that run it are not under it yet: mm->moving. Waits for a
 * broadcast when the space rolls over; no flight of this CPU is under way.
 */
void asid_promote(struct mm *mm);

/* How many of them there are, and how many are left. */
u64 asids_all(void);
u64 asids_available(void);

#endif
