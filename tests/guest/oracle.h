/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The staleness oracle. Holders fill their TLBs with translations of a range; CPU 0, which holds them too, changes the mapping;
 * when the change has returned, no CPU may use what it held. Contents are a function of the address, so what was read says where it
 * came from.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "arch/access.h"
#include "mm/mm.h"
#include "task/worker.h"
#include "test.h"

#define TEST_VA VA(0x10000000) /* 2 MiB aligned, away from other uses */
#define RW_USER (PROT_READ | PROT_WRITE | PROT_USER)

struct oracle {
	struct test_run *t;
	struct mm *mm; /* what is changed */
	struct mm *runs[3]; /* CPU c runs runs[c % 3]; all NULL: mm */
	struct va va; /* first address looked at */
	u64 pages, stride; /* `pages` addresses, `stride` bytes apart */
	/*
	 * Store instead of load, before and after the change. A load leaves an entry that says "not dirty" and is not used for a
	 * store, so what is held by a load can't be seen by one.
	 */
	bool hold_store, look_store;
	bool lazy; /* holders end their job before the change: their CPUs are lazy and halt, and come back to look */
	void (*change)(struct oracle *o); /* on CPU 0; returns after the flush */
	bool (*right)(struct va va, struct access a); /* is this what an access after the change must give? */
	struct pa old; /* change()'s, for what it wants to know afterwards */

	struct word ready, changed;
	struct word held; /* accesses before the change that reached the old contents */
	struct word wrong; /* accesses after it that were not right */
	struct word first_wrong; /* cpu << 32 | page, plus 1 */
};

/* Contents of each word of the page of va, before a change and after a remap. */
u64 oracle_old(struct va va);
u64 oracle_new(struct va va);

/* Fills the frames behind `pages` pages of level 0 or 1 from va with the old contents. */
void oracle_fill(struct mm *mm, struct va va, u64 pages, unsigned level);

/* A new mm with `pages` filled pages of level 0 or 1 at va; no region. NULL: out of frames. */
struct mm *oracle_mm(struct va va, u64 pages, unsigned level, unsigned prot);

/*
 * One round with CPU 0 and the `others` CPUs after it as holders. False: somebody used an old translation (noted in t->message), or
 * a holder had not reached the old contents before, and the round proved nothing.
 */
bool oracle_run(struct oracle *o, unsigned others);

/* The same in a new mm with the old contents, which is destroyed afterwards. `o` has all but the mm. */
bool oracle_run_new(struct oracle *o, unsigned others);

/* Changes of [va, va + pages * stride). */
void oracle_unmap(struct oracle *o);
void oracle_zap(struct oracle *o);
void oracle_protect(struct oracle *o); /* takes write access away */
void oracle_remap(struct oracle *o); /* 4 KiB pages: other frames, with the new contents, same rights */

/* For .right: */
bool oracle_faults(struct va va, struct access a);
bool oracle_reads_old(struct va va, struct access a);
bool oracle_reads_new(struct va va, struct access a);
bool oracle_works(struct va va, struct access a); /* no fault */

/* Out of frames: the round proves nothing on so small a machine. Returns true. */
bool test_no_frames(struct test_run *t);

/* Is `choice` part of the strategy? */
bool strategy_has(const struct strategy *s, const char *choice);

/* Gets an mm that so many CPUs run, not lazily, a global ASID for sure, with its first flush by interrupts? */
bool strategy_promotes(const struct strategy *s, unsigned cpus);

#endif
