/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests with many CPUs at work share. State: struct crowd of the test. */
#include "tests/guest/crowd.h"
#include "arch/clock.h"
#include "arch/irq.h"
#include "machine.h"
#include "smp/wait.h"

#define MAX_MS 100 /* an acknowledgement takes milliseconds where there are more virtual CPUs than real ones */

static struct va crowd_page(unsigned page)
{
	return va_add(TEST_VA, page * PAGE_SIZE);
}

bool crowd_init(struct crowd *c, struct test_run *t, unsigned mms)
{
	unsigned i;

	c->t = t;
	c->n = MIN(t->cpus, CROWD_MAX);
	c->deadline = clock_now() + MAX_MS / (t->strategy->sabotage ? 4 : 1) * clock_info()->khz;
	cpumask_first_n(&machine.shootdown.scratch, c->n);
	for (i = 0; i < mms; i++) {
		c->mm[i] = mm_create();
		if (!c->mm[i] || mm_add_region(c->mm[i], TEST_VA, c->n * PAGE_SIZE, RW_USER))
			return false;
	}
	return true;
}

bool crowd_end(struct crowd *c)
{
	u64 first = load_relaxed(&c->first_wrong) - 1;
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(c->mm); i++)
		if (c->mm[i])
			mm_destroy(c->mm[i]);
	if (load_relaxed(&c->wrong))
		return test_fail(c->t, "%llu stale accesses; the first by CPU %llu on the page of CPU %llu",
				 (unsigned long long)load_relaxed(&c->wrong), (unsigned long long)(first >> 32),
				 (unsigned long long)(first & 0xffffffff));
	return true;
}

static void note_wrong(struct crowd *c, unsigned page)
{
	add_full(&c->wrong, 1);
	cas_full(&c->first_wrong, 0, ((u64)this_cpu()->id << 32 | page) + 1);
}

bool crowd_late(const struct crowd *c)
{
	return clock_now() > c->deadline;
}

void crowd_meet(struct crowd *c)
{
	u64 arrived = add_full(&c->arrived, 1);
	unsigned cpu;

	/* The first multiple of n from here on: nobody comes to the next meeting before all have come to this one. */
	wait_idle(&c->arrived, WAIT_GE, (arrived + c->n - 1) / c->n * c->n, "a meeting of all CPUs", false);
	if (arrived % c->n == 0)
		for_each_cpu(cpu, &machine.shootdown.scratch)
			cpu_wake(cpu);
}

void crowd_store(struct crowd *c, unsigned page, u64 number)
{
	if (va_store(crowd_page(page), number).fault)
		note_wrong(c, page);
}

void crowd_zap(struct crowd *c, struct mm *mm, unsigned page)
{
	bool irqs = c->irqs_off ? irq_save() : true;

	mm_zap(mm, crowd_page(page), PAGE_SIZE);
	irq_restore(irqs);
}

void crowd_look(struct crowd *c, unsigned page, u64 gone)
{
	struct access a = va_load(crowd_page(page));

	if (a.fault || (a.value && a.value <= gone))
		note_wrong(c, page);
}

void crowd_look_at_all(struct crowd *c)
{
	unsigned page;

	crowd_meet(c);
	for (page = 0; page < c->n; page++)
		crowd_look(c, page, load_acquire(&c->zapped[page]));
	crowd_meet(c);
}
