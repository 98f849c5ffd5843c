/* SPDX-License-Identifier: BSD-2-Clause */
/* The staleness oracle. State: struct oracle of the caller. */
#include "arch/frame.h"
#include "arch/irq.h"
#include "check.h"
#include "machine.h"
#include "mm/switch.h"
#include "smp/wait.h"
#include "tests/guest/oracle.h"

u64 oracle_old(u64 page)
{
	return 0x01d0000000000000ull + page;
}

u64 oracle_new(u64 page)
{
	return 0x2e30000000000000ull + page;
}

struct mm *oracle_mm(struct va va, u64 pages, unsigned level, unsigned prot)
{
	u64 size = 1ull << pt_shift(level), i;
	struct mm *mm = mm_create();

	if (!mm)
		return NULL;
	if (!mm_populate(mm, va, pages, level, prot)) {
		mm_destroy(mm);
		return NULL;
	}
	for (i = 0; i < pages; i++)
		frame_fill(pte_pa(mm_lookup(mm, va_add(va, i * size)), level), size, oracle_old(i));
	return mm;
}

bool oracle_faults(const struct oracle *o, u64 page, struct access a)
{
	(void)o, (void)page;
	return a.fault;
}

bool oracle_reads_new(const struct oracle *o, u64 page, struct access a)
{
	(void)o;
	return !a.fault && a.value == oracle_new(page);
}

bool oracle_reads_zero(const struct oracle *o, u64 page, struct access a)
{
	(void)o, (void)page;
	return !a.fault && a.value == 0;
}

static struct access touch(const struct oracle *o, u64 page)
{
	struct va va = va_add(o->va, page * o->stride);

	return o->store ? va_store(va, oracle_old(page)) : va_load(va);
}

static void hold(struct oracle *o)
{
	u64 page;

	/* The last pages were touched last: a small TLB holds these. */
	for (page = 0; page < o->pages; page++) {
		struct access a = touch(o, page);

		if (!a.fault && (o->store || a.value == oracle_old(page)))
			add_full(&o->held, 1);
	}
}

static void look(struct oracle *o)
{
	u64 page;

	/* Last ones first: they are the ones held, and looking must not push them out. */
	for (page = o->pages; page-- > 0;) {
		if (!o->right(o, page, touch(o, page))) {
			add_full(&o->stale, 1);
			cas_full(&o->first_stale, 0, ((u64)this_cpu()->id << 32 | page) + 1);
		}
	}
}

static void job(void *arg, unsigned index)
{
	struct oracle *o = arg;

	switch_mm(o->mm);
	if (index)
		hold(o);
	if (index && o->lazy)
		switch_lazy();
	meet(&o->meeting, "the oracle's holders");
	if (!index) {
		o->change(o);
		/* Release: whoever sees changed = 1 is after the flush. */
		store_release(&o->changed, 1);
	} else {
		wait_until(&o->changed, WAIT_EQ, 1, "the oracle's change");
		switch_mm(o->mm);
		look(o);
	}
}

bool oracle_run(struct oracle *o, unsigned only)
{
	unsigned cpus = only ? only + 1 : o->t->cpus;
	u64 first;

	CHECK(cpus <= machine.smp.nr_cpus);
	o->meeting = (struct meeting){ .n = cpus };
	cpumask_first_n(&machine.shootdown.scratch, cpus);
	workers_run(&machine.shootdown.scratch, job, o);
	if (load_relaxed(&o->stale)) {
		first = load_relaxed(&o->first_stale) - 1;
		return test_fail(o->t, "%llu stale accesses; the first by CPU %llu on page %llu", (unsigned long long)load_relaxed(&o->stale),
				 (unsigned long long)(first >> 32), (unsigned long long)(first & 0xffffffff));
	}
	if (cpus > 1 && load_relaxed(&o->held) < (u64)(cpus - 1) * o->pages)
		return test_fail(o->t, "vacuous: holders reached the old contents %llu times", (unsigned long long)load_relaxed(&o->held));
	return true;
}
