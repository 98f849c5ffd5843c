/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which mm a CPU has loaded, and lazy mode. State per CPU: loaded, asid, lazy, and what tagging keeps (mm/asid/).
 */
#ifndef MM_SWITCH_H
#define MM_SWITCH_H

#include "arch/atomic.h"
#include "mm/mm.h"

/* Value of tlb_state.loaded while a CPU is between two roots. */
#define LOADED_SWITCHING 1ull

#define MAX_TAGS 64 /* per CPU; Linux has 6 (TLB_NR_DYN_ASIDS), the default of choice slots */

struct tlb_state {
	/* Written by the owner, read by flushers. */
	struct word loaded __attribute__((aligned(CACHE_LINE))); /* struct mm *, or LOADED_SWITCHING */
	struct word asid; /* tag that the root is loaded under; stored before `loaded` is */
	/* The owner's alone. */
	unsigned next_tag; /* round robin */
	bool sync_owed; /* it has broadcast what no sync has waited for yet (transport invlpgb) */
	struct {
		u64 ctx_id; /* which mm's entries may be under this tag; 0 = nobody's */
		u64 gen; /* ... and up to which tlb_gen they are right */
	} slot[MAX_TAGS];
	/* Tagging "generation". */
	struct word active; /* id of the mm entered last, by its owner; a rollover takes it away: 0 */
	u64 reserved; /* what it was at the last rollover at which it was not 0; under the lock of the generations */
	bool flush_pending; /* a rollover wants everything flushed before an mm is entered; under that lock */
	/* In a line of its own: flushers poll it while the owner works with the above. */
	struct word lazy __attribute__((aligned(CACHE_LINE)));
};

/* Run `mm` on this CPU. Leaves lazy mode; catches up with flushes that this CPU was spared. */
void switch_mm(struct mm *mm);

/* The loaded mm goes under another tag now, or is dropped and entered again. Interrupts off. */
void switch_tag(struct mm *mm);

/* This CPU goes on with kernel work only: keeps the root loaded, lazily. No register is written. */
void switch_lazy(void);

/* A lazy CPU loads KMM, as another one asked for it: whatever goes on here goes on, so nothing is swept. Interrupts off. */
void switch_from_lazy(void);

/* Load KMM (and leave lazy mode). */
void switch_to_kernel(void);

struct mm *loaded_mm(void); /* of this CPU, which is not between two */
unsigned loaded_asid(void); /* the tag that it is under */

/* A CPU that comes up: KMM on tag 0 with a flush, no slot holds anything. */
void switch_init_cpu(void);

#endif
