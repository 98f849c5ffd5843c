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

/* How a range is broadcast; a set. Nothing but BROADCAST_LEAVES is asked for where it is missing. */
enum broadcast_how {
	BROADCAST_LEAVES = 1, /* walk caches may stay */
	BROADCAST_HINT = 2, /* every leaf that has to go is of the stride's size, no table goes: the TLB may be told so */
	BROADCAST_ONE_BY_ONE = 4, /* no instruction for more than a page, though there is one */
	BROADCAST_SYNC_EACH = 8, /* each instruction is waited for before the next one; broadcast_sync() is still owed */
};

/* NULL, or why this machine has not that: BROADCAST_HINT, _ONE_BY_ONE, _SYNC_EACH. */
const char *broadcast_hint_missing(void);
const char *broadcast_one_by_one_missing(void);
const char *broadcast_sync_each_missing(void);

/*
 * Non-global entries under tag `asid` for `pages` pages of 1 << stride_shift bytes from start; leaves of that size, not smaller,
 * are there. Walk caches of the tag as well, unless BROADCAST_LEAVES.
 */
void broadcast_range(unsigned asid, struct va start, u64 pages, unsigned stride_shift, unsigned how);

/* All non-global entries and walk caches of one tag; of all tags. */
void broadcast_tag(unsigned asid);
void broadcast_all_tags(void);

/* Kernel (global) entries of a range; everything, globals and all tags included. */
void broadcast_kernel_range(struct va start, u64 pages, unsigned stride_shift, unsigned how);
void broadcast_everything(void);

/* Returns when all of the above that this CPU issued is done: no CPU uses such an entry any more. */
void broadcast_sync(void);

#endif
