/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: invalidation on THIS CPU and loading of a root. Sequences and barriers are the port's; which CPU, when and whether are
 * mm/shootdown's. None of these reaches another CPU. All complete before they return: stores made earlier by this CPU (PTEs
 * among them) are visible to its later walks (SDM vol. 3A 4.10.4; Arm ARM D8.16). Interrupts must be off.
 */
#ifndef ARCH_TLB_H
#define ARCH_TLB_H

#include "types.h"

/* A tag as software counts it, from 0. The hardware number (PCID, ASID) is the port's: x86 uses asid + 1. */
struct tag {
	unsigned asid;
	bool flush; /* load: entries under this tag are not to be trusted */
};

/* How many tags software may use on one CPU; 1 when the hardware has none (or is kept from using them). */
unsigned tlb_nr_tags(void);

/* Load `root` under `tag`; with tag.flush its non-global entries and walk caches are dropped at the same time. */
void tlb_load_root(struct pa root, struct tag tag);

/*
 * Non-global entries of the loaded tag: `pages` pages of 1 << stride_shift bytes from start, and walk caches. `one_size`: every
 * leaf that has to go is of that size, no table goes: the TLB may be told so, and keep the rest. False is always right.
 */
void tlb_flush_range(struct va start, u64 pages, unsigned stride_shift, bool one_size);

/* All non-global entries and walk caches of the loaded tag; `root` is what is loaded. */
void tlb_flush_tag(struct pa root, struct tag tag);

/* All non-global entries and walk caches of a tag, be it loaded or not. */
void tlb_flush_other_tag(struct tag tag);

/* Kernel (global) entries of a range, under every tag. */
void tlb_flush_kernel_range(struct va start, u64 pages, unsigned stride_shift, bool one_size);

/* Everything, globals and all tags included. */
void tlb_flush_everything(void);

#endif
