/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The staleness oracle. State: struct oracle of the caller, and machine.shootdown.scratch for the set of holders. Holders that
 * wait do so halted, in the mm, not lazy: they are interrupted for each flush that they are a target of.
 */
#include "tests/guest/oracle.h"
#include "arch/frame.h"
#include "check.h"
#include "lib/string.h"
#include "machine.h"
#include "smp/wait.h"

u64 oracle_old(struct va va)
{
	return 0x01d0000000000000ull | va.raw >> PAGE_SHIFT << 4;
}

u64 oracle_new(struct va va)
{
	return 0x2e30000000000000ull | va.raw >> PAGE_SHIFT << 4;
}

void oracle_fill(struct mm *mm, struct va va, u64 pages, unsigned level)
{
	u64 size = 1ull << pt_shift(level), at;

	for (at = 0; at < pages * size; at += PAGE_SIZE) {
		struct pa pa = pte_pa(mm_lookup(mm, va_add(va, at)), level);

		frame_fill(pa_add(pa, at % size), PAGE_SIZE, oracle_old(va_add(va, at)));
	}
}

struct mm *oracle_mm(struct va va, u64 pages, unsigned level, unsigned prot)
{
	struct mm *mm = mm_create();

	if (!mm)
		return NULL;
	if (!mm_populate(mm, va, pages, level, prot)) {
		mm_destroy(mm);
		return NULL;
	}
	oracle_fill(mm, va, pages, level);
	return mm;
}

bool oracle_faults(struct va va, struct access a)
{
	(void)va;
	return a.fault;
}

bool oracle_reads_old(struct va va, struct access a)
{
	return !a.fault && a.value == oracle_old(va);
}

bool oracle_reads_new(struct va va, struct access a)
{
	return !a.fault && a.value == oracle_new(va);
}

bool oracle_works(struct va va, struct access a)
{
	(void)va;
	return !a.fault;
}

void oracle_unmap(struct oracle *o)
{
	mm_unmap(o->mm, o->va, o->pages * o->stride);
}

void oracle_zap(struct oracle *o)
{
	mm_zap(o->mm, o->va, o->pages * o->stride);
}

void oracle_protect(struct oracle *o)
{
	mm_protect(o->mm, o->va, o->pages * o->stride, PROT_READ | PROT_USER);
}

void oracle_remap(struct oracle *o)
{
	u64 page;

	for (page = 0; page < o->pages; page++) {
		struct va va = va_add(o->va, page * o->stride);
		struct pa pa = frame_alloc(FRAME_DATA);

		/* The last test gave back more frames than this takes. */
		CHECK(!pa_is_none(pa));
		frame_fill(pa, PAGE_SIZE, oracle_new(va));
		mm_remap(o->mm, va, pa, pte_prot(mm_lookup(o->mm, va)));
	}
}

/* A word of its own for each CPU, so that a store that went to the wrong frame is missed in the right one. */
static struct va own_word(const struct oracle *o, u64 page, unsigned cpu)
{
	return va_add(o->va, page * o->stride + 8 * (cpu % (PAGE_SIZE / 8)));
}

/* By look(): in no frame before. */
static u64 stored(struct va va)
{
	return oracle_new(va) + 1;
}

static void enter(struct oracle *o)
{
	switch_mm(o->runs[this_cpu()->id % ARRAY_SIZE(o->runs)]);
}

static void hold(struct oracle *o)
{
	u64 page;

	enter(o);
	/* The last pages were touched last: a small TLB holds these. */
	for (page = 0; page < o->pages; page++) {
		struct va va = own_word(o, page, this_cpu()->id);
		struct access a = o->hold_store ? va_store(va, oracle_old(va)) : va_load(va);

		if (o->hold_store ? !a.fault : oracle_reads_old(va, a))
			add_full(&o->held, 1);
	}
}

static void note_wrong(struct oracle *o, unsigned cpu, u64 page)
{
	add_full(&o->wrong, 1);
	cas_full(&o->first_wrong, 0, ((u64)cpu << 32 | page) + 1);
}

static void look(struct oracle *o)
{
	u64 page;

	enter(o);
	/* Last ones first: they are the ones held, and looking must not push them out. */
	for (page = o->pages; page-- > 0;) {
		struct va va = own_word(o, page, this_cpu()->id);

		if (!o->right(va, o->look_store ? va_store(va, stored(va)) : va_load(va)))
			note_wrong(o, this_cpu()->id, page);
	}
}

static void stay(void *arg, unsigned index)
{
	struct oracle *o = arg;

	(void)index;
	hold(o);
	add_full(&o->ready, 1);
	cpu_wake(0);
	wait_idle(&o->changed, WAIT_EQ, 1, "the oracle's change", false);
	look(o);
}

static void hold_and_leave(void *arg, unsigned index)
{
	(void)index;
	hold(arg);
}

static void come_back(void *arg, unsigned index)
{
	(void)index;
	look(arg);
}

static void run_staying(struct oracle *o, unsigned others)
{
	struct job job = { .fn = stay, .arg = o };
	unsigned cpu;

	workers_start(&machine.shootdown.scratch, &job);
	wait_idle(&o->ready, WAIT_GE, others, "the oracle's holders", false);
	o->change(o);
	/* Release: whoever sees changed = 1 is after the flush. */
	store_release(&o->changed, 1);
	for_each_cpu(cpu, &machine.shootdown.scratch)
		cpu_wake(cpu);
	workers_wait(&machine.shootdown.scratch, &job);
}

static void run_lazy(struct oracle *o)
{
	workers_run(&machine.shootdown.scratch, hold_and_leave, o);
	o->change(o);
	workers_run(&machine.shootdown.scratch, come_back, o);
}

/* Where stores after the change were right to succeed: are they in the frames that are mapped now? */
static void find_lost_stores(struct oracle *o, unsigned others)
{
	unsigned cpu;
	u64 page;

	for (page = 0; page < o->pages; page++) {
		for (cpu = 0; cpu <= others; cpu++) {
			struct va va = own_word(o, page, cpu);
			struct pte pte = mm_lookup(o->mm, va);
			u64 *contents = pte_is_none(pte) ? NULL : frame_contents(pte_pa(pte, 0));

			if (!contents || contents[va.raw % PAGE_SIZE / 8] != stored(va))
				note_wrong(o, cpu, page);
		}
	}
}

bool oracle_run(struct oracle *o, unsigned others)
{
	u64 first;

	CHECK(others < machine.smp.nr_cpus);
	if (!o->runs[0])
		o->runs[0] = o->runs[1] = o->runs[2] = o->mm;
	cpumask_first_n(&machine.shootdown.scratch, others + 1);
	cpumask_clear(&machine.shootdown.scratch, 0);
	hold(o);
	if (o->lazy)
		run_lazy(o);
	else
		run_staying(o, others);
	look(o);
	switch_lazy(); /* as a worker after its job */
	if (o->look_store && o->right == oracle_works)
		find_lost_stores(o, others);
	if (load_relaxed(&o->wrong)) {
		first = load_relaxed(&o->first_wrong) - 1;
		return test_fail(o->t, "%llu stale accesses; the first by CPU %llu on page %llu of %llu",
				 (unsigned long long)load_relaxed(&o->wrong), (unsigned long long)(first >> 32),
				 (unsigned long long)(first & 0xffffffff), (unsigned long long)o->pages);
	}
	if (load_relaxed(&o->held) < (others + 1) * o->pages)
		return test_vacuous(o->t, load_relaxed(&o->held), (others + 1) * o->pages);
	return !o->t->message[0];
}

bool oracle_run_new(struct oracle *o, unsigned others)
{
	unsigned level = o->stride == LARGE_SIZE;
	bool ok;

	o->mm = oracle_mm(o->va, o->pages, level, RW_USER);
	if (!o->mm)
		return test_no_frames(o->t);
	ok = oracle_run(o, others);
	mm_destroy(o->mm);
	return ok;
}

bool test_no_frames(struct test_run *t)
{
	test_fail(t, "too few frames on this machine");
	t->skip = true;
	return true;
}

bool strategy_has(const struct strategy *s, const char *choice)
{
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		if (!strcmp(s->choice[i]->name, choice))
			return true;
	return false;
}

bool strategy_promotes(const struct strategy *s, unsigned cpus)
{
	return !(s->policies & POLICY_SAMPLED) && cpus > s->promotion->above(s->value[STAGE_PROMOTION]);
}
