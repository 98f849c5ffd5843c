/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The staleness oracle: frames with different contents behind one address. CPU index 0 changes the mapping; the holders (all others of the
 * run) fill their TLBs before and look after. After the change has returned no holder may use an old translation.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "arch/access.h"
#include "task/worker.h"
#include "test.h"

#define TEST_VA VA(0x10000000) /* 2 MiB aligned, away from other uses */

struct oracle {
	struct test_run *t;
	struct mm *mm; /* what holders run */
	struct va va; /* first page looked at */
	u64 pages, stride; /* `pages` addresses, `stride` bytes apart */
	bool store; /* holders store instead of load */
	bool lazy; /* holders wait lazily: they drop to the kernel, halt, and come back after the change */
	void (*change)(struct oracle *o); /* on index 0; returns after the flush */
	bool (*right)(const struct oracle *o, u64 page, struct access a); /* is this what an access after the change must give? */
	void *arg; /* the test's */

	struct meeting meeting;
	struct word changed;
	struct word held; /* accesses before the change that succeeded */
	struct word stale; /* accesses after it that were not right */
	struct word first_stale; /* cpu << 32 | page, plus 1 */
};

/* Contents of page p before (old) and after (fresh) a remap. */
u64 oracle_old(u64 page);
u64 oracle_new(u64 page);

/* A new mm with `pages` pages of level 0 or 1 at va, each word of page p = oracle_old(p); no region. NULL: out of frames. */
struct mm *oracle_mm(struct va va, u64 pages, unsigned level, unsigned prot);

/*
 * Runs one round on CPUs 0..t->cpus-1 (only = 0) or on 0 and the first `only` others. False: stale accesses, noted in t->message. Vacuous rounds
 * (no holder reached the old contents) fail too.
 */
bool oracle_run(struct oracle *o, unsigned only);

/* For .right: */
bool oracle_faults(const struct oracle *o, u64 page, struct access a);
bool oracle_reads_new(const struct oracle *o, u64 page, struct access a);
bool oracle_reads_zero(const struct oracle *o, u64 page, struct access a);

#endif
