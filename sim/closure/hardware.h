/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CPUs and TLBs of the models. Of each mm there is one page. A TLB has entries for mm and ASID: of the page as it is mapped
 * now, and of how it was before a flush that has ended. What can be filled is filled at once: nothing that the C does depends on
 * entries, and no invariant becomes true by more of them. Broadcasts reach each CPU at a time of its own.
 */
#ifndef SIM_CLOSURE_HARDWARE_H
#define SIM_CLOSURE_HARDWARE_H

#include "arch/tlb.h"
#include "sim/closure/closure.h"

#define CPUS 3

/* Threads: the CPUs, one more CPU that runs no mm, and the TLB of each CPU. */
#define FLUSHER limits.cpus
#define TLB_OF(cpu) (limits.cpus + 1 + (cpu))

extern struct cpu_now {
	int loaded; /* mm; NOBODY: KMM */
	unsigned asid; /* ... under which */
	unsigned due; /* ASIDs, by bit, of a broadcast that has not reached this CPU yet */
	unsigned gone; /* ASIDs under which there are entries of an mm that has ended */
} cpus[CPUS];

extern struct page_now {
	bool mapped;
	unsigned now[CPUS], before[CPUS]; /* ASIDs under which there are entries */
} pages[NR_MMS];

/* All CPUs idle, all pages mapped, no entries; and the TLBs' threads. */
void hardware_begin(void);
void code_cpu(struct codec *k, unsigned c);
void code_page(struct codec *k, unsigned m);
void fill(void); /* settle hook */

/* The mm of this CPU's operation, or KMM, under `tag`. */
void load_root(struct tag tag);
void drop(unsigned cpu, unsigned asids);
void broadcast(unsigned asids);

/* Invariants. Of two CPUs that are in no operation: if they run one mm (same_mm) they do it under one ASID, if two under two. */
bool UniqueASIDPerCPU(void);
bool active_agree(bool same_mm);

void name_thread(char *buf, size_t size, unsigned t);

#endif
