/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Locks. They may be waited for with interrupts off (waits serve requests), but are never taken in an interrupt handler or a call;
 * lock_take_alone() is the exception to both.
 */
#ifndef SMP_LOCK_H
#define SMP_LOCK_H

#include "arch/atomic.h"

struct lock {
	struct word held;
};

void lock_take(struct lock *l, const char *name);
void lock_release(struct lock *l);

/*
 * For a lock that is always taken like this, with interrupts off, and whose holder waits for nobody: requests are not served
 * meanwhile, so it may be taken where they must not be (between two mms), and in a call too.
 */
void lock_take_alone(struct lock *l, const char *name);

/* Shared by many or exclusive for one; an exclusive one that waits keeps new shared ones out. */
struct rwlock {
	struct word state; /* bit 63: exclusive held; bit 62: exclusive wanted; below: number of shared holders */
};

void rwlock_take_shared(struct rwlock *l, const char *name);
void rwlock_release_shared(struct rwlock *l);
void rwlock_take_exclusive(struct rwlock *l, const char *name);
void rwlock_release_exclusive(struct rwlock *l);

#endif
