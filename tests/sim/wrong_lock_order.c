/* SPDX-License-Identifier: BSD-2-Clause */
/* Wrong on purpose: CPU 0 takes a's lock, then b's; CPU 1 b's, then a's. What the report of a deadlock says is tried on it. */
#include "sim/scenario.h"

static void set_up(void)
{
	scene.a = mm_create();
	scene.b = mm_create();
}

static void run(unsigned cpu)
{
	struct rwlock *first = &(cpu ? scene.b : scene.a)->lock, *second = &(cpu ? scene.a : scene.b)->lock;
	const char *names[] = { "the lock of a", "the lock of b" };

	if (cpu > 1)
		return;
	rwlock_take_exclusive(first, names[cpu]);
	rwlock_take_shared(second, names[!cpu]);
	rwlock_release_shared(second);
	rwlock_release_exclusive(first);
}

SCENARIO(wrong_lock_order, .help = "two locks in two orders", .min_cpus = 2, .set_up = set_up, .run = run, .no_stale = true,
	 .wrong = true);
