/* SPDX-License-Identifier: BSD-2-Clause */
/* units: smp/lock.c */
/* Locks, as far as one thread can tell: every state of the word, and what others do to it while this CPU waits. */
#include "smp/lock.h"
#include "smp/wait.h"
#include "unit.h"

#define EXCLUSIVE (1ull << 63)
#define WANTED (1ull << 62)

/* What other CPUs do meanwhile: a wait makes the word the next one of these, until it is what is waited for. */
static struct word *word;
static const u64 *script;
static unsigned waits, served;

u64 wait_alone(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	EXPECT(w == word && !strcmp(what, "a lock"));
	while (!wait_satisfied(load_relaxed(w), cond, operand)) {
		waits++;
		store_relaxed(word, *script++);
	}
	return load_relaxed(w);
}

u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	served++;
	return wait_alone(w, cond, operand, what);
}

static void others(struct word *w, u64 now, const u64 *then)
{
	store_relaxed(w, now);
	word = w;
	script = then;
	waits = served = 0;
}

UNIT_TEST(lock_taken_and_given_back)
{
	static const u64 then[] = { 1, 1, 0 };
	struct lock l;

	others(&l.held, 0, NULL);
	lock_take(&l, "a lock");
	EXPECT_EQ(load_relaxed(&l.held), 1);
	lock_release(&l);
	EXPECT_EQ(load_relaxed(&l.held), 0);
	others(&l.held, 1, then);
	lock_take(&l, "a lock");
	EXPECT_EQ(load_relaxed(&l.held), 1);
	EXPECT_EQ(waits, 3);
}

UNIT_TEST(lock_taken_alone_serves_nothing)
{
	static const u64 then[] = { 1, 1, 0 };
	struct lock l;

	others(&l.held, 1, then);
	lock_take_alone(&l, "a lock");
	EXPECT_EQ(load_relaxed(&l.held), 1);
	EXPECT_EQ(waits, 3);
	EXPECT_EQ(served, 0);
	others(&l.held, 1, then);
	lock_take(&l, "a lock");
	EXPECT_EQ(served, 1);
}

UNIT_TEST(rwlock_shared_by_many)
{
	struct rwlock l;
	unsigned i;

	others(&l.state, 0, NULL);
	for (i = 0; i < MAX_CPUS; i++)
		rwlock_take_shared(&l, "a lock");
	EXPECT_EQ(load_relaxed(&l.state), MAX_CPUS);
	for (i = 0; i < MAX_CPUS; i++)
		rwlock_release_shared(&l);
	EXPECT_EQ(load_relaxed(&l.state), 0);
	EXPECT_EQ(waits, 0);
	EXPECT_CHECK(rwlock_release_shared(&l)); /* nobody has it */
}

/* Who wants it shared waits out the one that has it, and the one that waits to have it: else that one might starve. */
UNIT_TEST(rwlock_shared_waits)
{
	static const u64 then[] = { EXCLUSIVE | WANTED, WANTED, EXCLUSIVE, 0 }, others_share[] = { WANTED | 1, EXCLUSIVE, 2 };
	struct rwlock l;

	others(&l.state, EXCLUSIVE, then);
	rwlock_take_shared(&l, "a lock");
	EXPECT_EQ(waits, 4);
	EXPECT_EQ(load_relaxed(&l.state), 1);
	others(&l.state, WANTED | 2, others_share);
	rwlock_take_shared(&l, "a lock");
	EXPECT_EQ(waits, 3);
	EXPECT_EQ(load_relaxed(&l.state), 3);
}

UNIT_TEST(rwlock_exclusive)
{
	static const u64 then[] = { WANTED | 1, WANTED }, again[] = { EXCLUSIVE | WANTED, 0 };
	struct rwlock l;

	others(&l.state, 0, NULL);
	rwlock_take_exclusive(&l, "a lock");
	EXPECT_EQ(load_relaxed(&l.state), EXCLUSIVE);
	rwlock_release_exclusive(&l);
	EXPECT_EQ(load_relaxed(&l.state), 0);
	others(&l.state, 2, then); /* the last of two gives it back */
	rwlock_take_exclusive(&l, "a lock");
	EXPECT_EQ(waits, 2);
	EXPECT_EQ(load_relaxed(&l.state), EXCLUSIVE);
	others(&l.state, EXCLUSIVE, again); /* another one wanted it too, and is gone */
	rwlock_take_exclusive(&l, "a lock");
	EXPECT_EQ(waits, 2);
	EXPECT_EQ(load_relaxed(&l.state), EXCLUSIVE);
}

/* While it is held, others say that they want it, or even try: giving it back leaves what they said. */
UNIT_TEST(rwlock_given_back_while_wanted)
{
	struct rwlock l;

	others(&l.state, EXCLUSIVE | WANTED, NULL);
	rwlock_release_exclusive(&l);
	EXPECT_EQ(load_relaxed(&l.state), WANTED);
	EXPECT_CHECK(rwlock_release_exclusive(&l));
	others(&l.state, WANTED | 2, NULL);
	rwlock_release_shared(&l);
	EXPECT_EQ(load_relaxed(&l.state), WANTED | 1);
}
