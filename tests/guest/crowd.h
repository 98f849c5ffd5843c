/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests in which CPUs change and read at the same time. A page has one writer, which stores 1, 2, 3, ... and zaps the page after
 * each. Whoever knows that number k was zapped (the zap has returned) may read 0 (a fresh page) or something above k, nothing else.
 */
#ifndef TESTS_CROWD_H
#define TESTS_CROWD_H

#include "tests/guest/oracle.h"

#define CROWD_MAX 64 /* CPUs */

struct crowd {
	struct test_run *t;
	struct mm *mm[2]; /* each with a region that holds one page for each CPU */
	unsigned n; /* CPUs */
	u64 turns; /* of each CPU, at most */
	u64 deadline; /* clock ticks: the turn under way is the last one then */
	bool irqs_off; /* around each zap */
	struct word arrived; /* at all meetings so far */
	struct word written; /* highest number that is in page 0 (same page for all) */
	struct word zapped[CROWD_MAX]; /* by page: the highest number that is gone */
	struct word done; /* CPU 0 is */
	struct word wrong; /* accesses that were not right */
	struct word first_wrong; /* cpu << 32 | page, plus 1 */
};

/* Fills in what is needed for `mms` address spaces. False: out of frames. */
bool crowd_init(struct crowd *c, struct test_run *t, unsigned mms);

/* Destroys the mms; false if something was wrong, noted in the test's message. */
bool crowd_end(struct crowd *c);

/* Time is up. */
bool crowd_late(const struct crowd *c);

/* All CPUs of the crowd meet. They halt: spinning would keep those that are still to come from running where CPUs are virtual. */
void crowd_meet(struct crowd *c);

/* For the writer: stores `number`, and zaps it. */
void crowd_store(struct crowd *c, unsigned page, u64 number);
void crowd_zap(struct crowd *c, struct mm *mm, unsigned page);

/* For readers: `gone` is known to be zapped. */
void crowd_look(struct crowd *c, unsigned page, u64 gone);

/* All meet, look at all pages, and meet again: nobody goes on before all hold all pages. */
void crowd_look_at_all(struct crowd *c);

#endif
