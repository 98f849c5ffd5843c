/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address spaces. One struct mm = one root; KMM (machine.mm.kernel) is the kernel-only one, safe to sit in.
 *
 * Locking: mm->lock shared for changes of single entries (fault, zap), exclusive for what frees tables or changes regions
 * (unmap, protect, map). It is held until the flush has ended: an entry that another one changed is never seen half done, except by
 * a concurrent zap, for which mm->gathers exists (see gather.h).
 */
#ifndef MM_MM_H
#define MM_MM_H

#include "arch/atomic.h"
#include "arch/pte.h"
#include "mm/frame.h"
#include "smp/cpumask.h"
#include "smp/lock.h"
#include "types.h"

#define MAX_REGIONS 8

struct region {
	struct va start, end;
	unsigned prot;
};

struct mm {
	u64 ctx_id; /* handed out from a counter, never reused: what slots compare, not the pointer */
	struct pa root;
	struct pa frame; /* that this struct lives in */
	bool kernel; /* KMM */
	bool keep_faults; /* none is repaired: litmus shapes want to see each (tests/litmus) */
	unsigned nr_regions;
	struct region region[MAX_REGIONS];

	struct word tlb_gen __attribute__((aligned(CACHE_LINE))); /* flush requests so far, from 1 */
	struct shared_mask cpumask __attribute__((aligned(CACHE_LINE))); /* mm_cpumask: CPUs that may hold entries */
	struct shared_mask stale; /* CPUs that flush the mm when they next enter it; tracker count */
	struct rwlock lock __attribute__((aligned(CACHE_LINE)));
	struct word gathers; /* gathers open now, and those whose flush waits in a batch */
	struct word next_trim; /* clock ticks; relaxed, losing or doubling a round is harmless */
	struct word global_asid; /* the tag that it has on every CPU; 0: none yet. For life (mm/asid/global.c) */
	struct word moving; /* ... and not every CPU that runs it is under it yet */
	struct word active; /* which CPU has entered it so far, none, or many; trackers active */
	struct word running; /* how many have it loaded now; tracker count */
	struct word tag_id; /* generation and ASID, mm/asid/generation.h; 0: none yet */
};

/* KMM, before anything else here. */
void mm_init_kernel(void);

/* A new, empty address space; NULL when out of frames. */
struct mm *mm_create(void);

/*
 * Unmaps everything, tables too, and frees it. No CPU runs it any more; lazy ones are made to leave it. No other CPU has pages of
 * it in a batch.
 */
void mm_destroy(struct mm *mm);

/*
 * A range where faults make zeroed frames appear. Page aligned, inside user space, not overlapping another region.
 * NULL, or one line saying why not.
 */
const char *mm_add_region(struct mm *mm, struct va start, u64 bytes, unsigned prot);

/*
 * Map `pages` pages of 4 KiB (level 0) or 2 MiB (level 1) from va, each to a fresh zeroed frame; entries that exist already stay.
 * False: out of frames (what was mapped stays).
 */
bool mm_populate(struct mm *mm, struct va va, u64 pages, unsigned level, unsigned prot);

/* Map one frame of the caller's; false if something is mapped there or no table could be had. */
bool mm_map_frame(struct mm *mm, struct va va, struct pa pa, unsigned level, unsigned prot);

/* The next three return after the flush: no CPU uses the old translations any more. `bytes` and va are page aligned. */
void mm_zap(struct mm *mm, struct va va, u64 bytes); /* MADV_DONTNEED: frames go, tables and regions stay */
void mm_unmap(struct mm *mm, struct va va, u64 bytes); /* munmap: frames, and tables that became empty */
void mm_protect(struct mm *mm, struct va va, u64 bytes, unsigned prot); /* leaves and regions that lie inside */

/*
 * Reclaim: as zap, but under a strategy that batches the frames wait, and any CPU, this one too, may use them until batch_flush()
 * (mm/batch.h) of this CPU has returned; so nothing is mapped or faulted in there before. (In Linux a fault finds the same page in
 * the swap cache.)
 */
void mm_pageout(struct mm *mm, struct va va, u64 bytes);

/*
 * Exchange the frame behind va (mapped, level 0) for `pa` with one flush; the old one is freed. Where the port needs it, nothing is
 * mapped while the flush goes on, and accesses wait for its end.
 */
void mm_remap(struct mm *mm, struct va va, struct pa pa, unsigned prot);

/* The leaf for va, none if there is none. */
struct pte mm_lookup(struct mm *mm, struct va va);

/* Clears Accessed without a flush; returns whether it was set. */
bool mm_test_and_clear_young(struct mm *mm, struct va va);

/* mm/fault.c: demand zero and spurious faults in the loaded mm. True: repaired. */
bool mm_fault(struct va va, unsigned access);

#endif
