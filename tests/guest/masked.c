/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Targets with interrupts off. They can't answer, so the initiator may not return: a target that sees the flag set after the zap can't have been
 * reading the old page since. State: struct masked of the round.
 */
#include "arch/irq.h"
#include "machine.h"
#include "smp/wait.h"
#include "tests/guest/oracle.h"

SABOTAGE_DECLARE(none);
SABOTAGE_DECLARE(no_wait);

#define READS 5000 /* after the change began: what a target keeps the initiator waiting for */
#define MAX_READS 5000000 /* in case the initiator's CPU is not run at all meanwhile */

struct masked {
	struct mm *mm;
	struct word ready, begun, changed;
	struct word held, stale;
};

static void target(void *arg, unsigned index)
{
	struct masked *m = arg;
	unsigned reads = 0, total;
	bool irqs;

	(void)index;
	switch_mm(m->mm);
	irqs = irq_save();
	if (va_load(TEST_VA).value == oracle_old(TEST_VA))
		add_full(&m->held, 1);
	add_full(&m->ready, 1);
	for (total = 0; total < MAX_READS && reads < READS; total++) {
		bool changed = load_acquire(&m->changed);
		struct access a = va_load(TEST_VA);

		reads += load_relaxed(&m->begun);
		if (changed && !a.fault && a.value == oracle_old(TEST_VA)) {
			add_full(&m->stale, 1);
			break;
		}
	}
	irq_restore(irqs);
}

static bool masked_targets(struct test_run *t)
{
	unsigned others = MIN(t->cpus - 1, 3u);
	struct masked m = { .mm = oracle_mm(TEST_VA, 1, 0, RW_USER) };
	struct job job = { .fn = target, .arg = &m };

	if (!m.mm)
		return test_no_frames(t);
	cpumask_first_n(&machine.shootdown.scratch, others + 1);
	cpumask_clear(&machine.shootdown.scratch, 0);
	workers_start(&machine.shootdown.scratch, &job);
	wait_until(&m.ready, WAIT_EQ, others, "targets with interrupts off");
	store_release(&m.begun, 1);
	mm_zap(m.mm, TEST_VA, PAGE_SIZE);
	store_release(&m.changed, 1);
	workers_wait(&machine.shootdown.scratch, &job);
	mm_destroy(m.mm);
	if (load_relaxed(&m.stale))
		return test_fail(t, "%llu CPUs with interrupts off read the old page after the zap had returned",
				 (unsigned long long)load_relaxed(&m.stale));
	if (load_relaxed(&m.held) != others)
		return test_fail(t, "proves nothing: %llu of %u targets held the page", (unsigned long long)load_relaxed(&m.held), others);
	return true;
}
TEST(masked_targets, .help = "a flush does not end before targets with interrupts off have done it", .min_cpus = 2, .run = masked_targets,
     .detects = { { &sabotage_none, SEEN_ALL }, { &sabotage_no_wait, SEEN_ALL } });
