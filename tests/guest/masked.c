/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Targets with interrupts off. They can't answer, so the initiator may not return: a target that sees the flag set after the zap
 * can't have been reading the old page since. State: struct masked of the round.
 */
#include "arch/clock.h"
#include "arch/irq.h"
#include "machine.h"
#include "smp/wait.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(no_wait);

#define MASKED_MS 20 /* for which a target keeps the initiator waiting */
#define TRIES 2 /* where CPUs are virtual, the initiator may be held up for longer */

struct masked {
	struct mm *mm;
	bool second; /* it is another CPU's zap of the page that must not return, which finds nothing there any more */
	struct word ready, begun, changed;
	struct word held, stale;
};

/* CPU 2. The generation is incremented between the first zap's edit and its flush. */
static void zap_too(struct masked *m)
{
	wait_until(&m->mm->tlb_gen, WAIT_GE, 2, "the first zap");
	mm_zap(m->mm, TEST_VA, PAGE_SIZE);
	store_release(&m->changed, 1);
}

static void target(void *arg, unsigned index)
{
	struct masked *m = arg;
	u64 end;
	bool irqs;

	if (m->second && index == 1) {
		zap_too(m);
		return;
	}
	switch_mm(m->mm);
	irqs = irq_save();
	if (va_load(TEST_VA).value == oracle_old(TEST_VA))
		add_full(&m->held, 1);
	add_full(&m->ready, 1);
	/* This would serve a flush too, but there is none before the word changes. */
	wait_until(&m->begun, WAIT_EQ, 1, "the zap to begin");
	for (end = clock_now() + MASKED_MS * clock_info()->khz; clock_now() < end;) {
		bool changed = load_acquire(&m->changed);
		struct access a = va_load(TEST_VA);

		if (!changed)
			continue;
		add_full(&m->stale, !a.fault && a.value == oracle_old(TEST_VA));
		break;
	}
	irq_restore(irqs);
}

static bool one_try(struct test_run *t, bool second)
{
	unsigned others = second ? 2 : MIN(t->cpus - 1, 3u), targets = second ? 1 : others;
	struct masked m = { .mm = oracle_mm(TEST_VA, 1, 0, RW_USER), .second = second };
	struct job job = { .fn = target, .arg = &m };

	if (!m.mm)
		return test_no_frames(t);
	cpumask_first_n(&machine.shootdown.scratch, others + 1);
	cpumask_clear(&machine.shootdown.scratch, 0);
	workers_start(&machine.shootdown.scratch, &job);
	wait_until(&m.ready, WAIT_EQ, targets, "targets with interrupts off");
	store_release(&m.begun, 1);
	mm_zap(m.mm, TEST_VA, PAGE_SIZE);
	if (!second)
		store_release(&m.changed, 1);
	workers_wait(&machine.shootdown.scratch, &job);
	mm_destroy(m.mm);
	if (load_relaxed(&m.stale))
		return test_fail(t, "%llu CPUs with interrupts off read the old page after the zap had returned",
				 (unsigned long long)load_relaxed(&m.stale));
	if (load_relaxed(&m.held) != targets)
		return test_vacuous(t, load_relaxed(&m.held), targets);
	return true;
}

static bool tries(struct test_run *t, bool second)
{
	unsigned try;

	for (try = 0; try < TRIES && !t->skip; try++)
		if (!one_try(t, second))
			return false;
	return true;
}

static bool masked_targets(struct test_run *t)
{
	return tries(t, false);
}
TEST(masked_targets, .help = "a flush does not end before targets with interrupts off have done it", .min_cpus = 2,
     .run = masked_targets, .detects = { { &sabotage_none, SEEN_ALL }, { &sabotage_no_wait, SEEN_ALL } });

static bool masked_second(struct test_run *t)
{
	return tries(t, true);
}
TEST(masked_second, .help = "a zap that finds the page gone does not end before the flush of whoever took it away", .min_cpus = 3,
     .run = masked_second, .detects = { { &sabotage_none, SEEN_ALL } });
