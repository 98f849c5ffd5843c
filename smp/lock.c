/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks on one word. Full order on taking, release order on giving back. */
#include "check.h"
#include "smp/lock.h"
#include "smp/wait.h"

void lock_take(struct lock *l, const char *name)
{
	while (xchg_full(&l->held, 1))
		wait_until(&l->held, WAIT_EQ, 0, name);
}

void lock_take_alone(struct lock *l, const char *name)
{
	while (xchg_full(&l->held, 1))
		wait_alone(&l->held, WAIT_EQ, 0, name);
}

void lock_release(struct lock *l)
{
	store_release(&l->held, 0);
}

#define EXCLUSIVE (1ull << 63)
#define WANTED (1ull << 62)

void rwlock_take_shared(struct rwlock *l, const char *name)
{
	for (;;) {
		u64 state = wait_until(&l->state, WAIT_CLEAR, EXCLUSIVE | WANTED, name);

		if (cas_full(&l->state, state, state + 1))
			return;
	}
}

void rwlock_release_shared(struct rwlock *l)
{
	CHECK((add_full(&l->state, -1ull) & ~(EXCLUSIVE | WANTED)) < MAX_CPUS);
}

/*
 * WANTED belongs to whoever waits for exclusive, together: the one that gets the lock takes the bit away, the others set it
 * again before they go on waiting.
 */
void rwlock_take_exclusive(struct rwlock *l, const char *name)
{
	while (!cas_full(&l->state, 0, EXCLUSIVE) && !cas_full(&l->state, WANTED, EXCLUSIVE)) {
		or_full(&l->state, WANTED);
		wait_until(&l->state, WAIT_CLEAR, ~WANTED, name);
	}
}

void rwlock_release_exclusive(struct rwlock *l)
{
	CHECK(and_full(&l->state, ~EXCLUSIVE) & EXCLUSIVE);
}
