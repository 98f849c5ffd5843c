/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: invalidation on ALL CPUs, this one included, by instructions of this CPU; nobody is interrupted. They are asynchronous:
 * what is broadcast is done everywhere when this CPU's next broadcast_sync() has returned, and no other CPU's sync waits for it.
 * So nobody goes on on another CPU in between. Stores to page tables must be visible everywhere before (an operation of full order
 * in between will do). A tag means the same mm on every CPU (mm/asid/global.c, generation.c).
 *
 * x86: INVLPGB and TLBSYNC (AMD APM vol. 3, vol. 2 5.5.3). arm64: TLBI, inner shareable, and DSB ISH (Arm ARM D8.16).
 */
#ifndef ARCH_BROADCAST_H
#define ARCH_BROADCAST_H

#include "types.h"

/* NULL, or why this machine can't broadcast: what invalidates must not be called then. */
const char *broadcast_missing(void);

/* The instructions are emulated: counts mean what they say, times don't. */
bool broadcast_emulated(void);

/* What emulating has taken this CPU so far: instructions, and ticks from their handler's begin to its end. 0 where none is. */
struct emulated {
	u64 n, ticks;
};
struct emulated broadcast_emulated_so_far(void);

/* From now on it can't, for that reason: it does not do what it says. False: the user has asked for it by name. */
bool broadcast_give_up(const char *why);

/*
 * Non-global entries under tag `asid` for `pages` pages of 1 << stride_shift bytes from start; leaves of that size, not smaller,
 * are there. Walk caches of the tag as well, unless leaves_only.
 */
void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, bool leaves_only);

/* All non-global entries and walk caches of one tag; of all tags. */
void broadcast_tag(unsigned asid);
void broadcast_all_tags(void);

/* Kernel (global) entries of a range; everything, globals and all tags included. */
void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift);
void broadcast_everything(void);

/* Returns when all of the above that this CPU issued is done: no CPU uses such an entry any more. */
void broadcast_sync(void);

#endif
