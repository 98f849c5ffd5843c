/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags that are the same on every CPU, and handed out again in a new generation: generation.c. */
#ifndef MM_ASID_GENERATION_H
#define MM_ASID_GENERATION_H

#include "arch/atomic.h"
#include "smp/lock.h"
#include "types.h"

#define ASID_SPACE (1u << 16) /* arm64: 8 or 16 bits; x86: PCIDs are 12 bits */

#define FIRST_GENERATION ASID_SPACE

/* An mm's id, mm->tag_id: the generation in which it got its ASID, a multiple of ASID_SPACE and never 0, plus the ASID. */
static inline unsigned asid_of_id(u64 id)
{
	return (unsigned)(id % ASID_SPACE);
}

/* machine.generations; under the lock, but what is a word. And of each CPU: tlb.active, reserved, flush_pending. */
struct generations_state {
	struct lock lock;
	struct word now; /* the generation; written under the lock */
	unsigned end; /* of the space; 0 is KMM's for good, 1..end-1 are handed out */
	unsigned next; /* from here on the search goes */
	u64 used[ASID_SPACE / 64]; /* in this generation, and by CPUs that took it along from the last */
};

/*
 * Since the caller has read the mm's id: is there a CPU that may still have the mm's root loaded under an ASID from before that? It
 * is about to load another, and touches nothing under the old one; only its walkers do.
 */
bool generation_straggler(void);

#endif
