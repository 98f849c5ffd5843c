/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which mm a CPU has loaded, and lazy mode (techniques of Linux arch/x86/mm/tlb.c, switch_mm_irqs_off()).
 *
 * State: struct tlb_state of each CPU. Only the owner writes it, with interrupts off (so no request is received half way); flushers
 * read loaded and lazy.
 *
 * Invariants, interrupts on: loaded is an mm, and the root register holds that mm's root under tag asid; KMM is never lazy; a
 * kernel thread (worker between jobs) is lazy or on KMM; lazy: no user address is touched.
 */
#include "arch/tlb.h"
#include "check.h"
#include "lib/printf.h"
#include "machine.h"
#include "mm/switch.h"
#include "smp/crumb.h"
#include "smp/watchdog.h"

COUNTER(switches, "loads of another root");
COUNTER(switch_flushes, "... that dropped the tag's entries");
COUNTER(lazy_entered, "times a CPU went lazy");
COUNTER(lazy_catchups, "returns from lazy mode that found missed flushes and caught up");

struct mm *loaded_mm(void)
{
	u64 loaded = load_relaxed(&this_cpu()->tlb.loaded);

	CHECK(loaded != LOADED_SWITCHING);
	return (struct mm *)loaded;
}

unsigned loaded_asid(void)
{
	return (unsigned)load_relaxed(&this_cpu()->tlb.asid);
}

static void enter(struct mm *mm, u64 gen)
{
	const struct strategy *s = strategy_now();
	struct tag tag = s->tracker->entered(mm, s->tagging->enter(mm, gen));

	tlb_load_root(s->tables->root(mm), tag);
	/* After the root, whose load completes before it returns: whoever sees the tag may rely on it (transport_invlpgb.c). */
	store_relaxed(&this_cpu()->tlb.asid, tag.asid);
	count(&counter_switches, 1);
	if (tag.flush)
		count(&counter_switch_flushes, 1);
}

/*
 * A thread of the mm that is loaded already. If the CPU was lazy, flushes may have left it out.
 *
 *	this CPU			a flusher
 *	lazy = false			change the PTE
 *	full barrier			increment mm->tlb_gen (full order)
 *	read mm->tlb_gen		read lazy
 *
 * Not allowed: the flusher reads lazy = true and leaves this CPU out, and this CPU reads the old generation and keeps its entries.
 */
static void switch_same(struct tlb_state *tlb, struct mm *mm)
{
	const struct strategy *s = strategy_now();
	u64 gen;

	if (!load_relaxed(&tlb->lazy))
		return; /* it was interrupted for every flush */
	store_relaxed(&tlb->lazy, 0);
	barrier_full();
	gen = load_relaxed(&mm->tlb_gen);
	if (s->tagging->settled(mm, gen))
		return;
	count(&counter_lazy_catchups, 1);
	enter(mm, gen);
}

void switch_tag(struct mm *mm)
{
	enter(mm, load_acquire(&mm->tlb_gen));
}

static void switch_other(struct tlb_state *tlb, struct mm *prev, struct mm *next)
{
	const struct strategy *s = strategy_now();
	u64 gen;

	store_relaxed(&tlb->lazy, 0);
	/*
	 * From here until `next` is published a flusher can't tell which entries this CPU may hold, and has to take it in. Release:
	 * whoever sees SWITCHING, or next, sees lazy = false too.
	 */
	store_release(&tlb->loaded, LOADED_SWITCHING);
	gen = s->tracker->switch_in(next); /* announces this CPU, full barrier, reads next->tlb_gen */
	enter(next, gen);
	store_release(&tlb->loaded, (u64)next);
	/* After the new root is loaded: while the old one was, its tables could be walked at any time. */
	s->tracker->switch_out(prev);
}

void switch_mm(struct mm *mm)
{
	struct tlb_state *tlb = &this_cpu()->tlb;
	bool irqs = irq_save_for("a switch to an mm");

	/* It may wait, and a wait serves requests: a lazy CPU can be on KMM afterwards, and the mm that it was on can be gone. */
	if (loaded_mm() != mm)
		strategy_now()->transport->sweep();
	if (loaded_mm() == mm)
		switch_same(tlb, mm);
	else
		switch_other(tlb, loaded_mm(), mm);
	irq_restore(irqs);
}

void switch_from_lazy(void)
{
	switch_other(&this_cpu()->tlb, loaded_mm(), &machine.mm.kernel);
}

void switch_lazy(void)
{
	struct tlb_state *tlb = &this_cpu()->tlb;
	bool irqs = irq_save_for("going lazy");

	strategy_now()->transport->sweep();
	if (!loaded_mm()->kernel && !load_relaxed(&tlb->lazy)) {
		/*
		 * Release: this CPU's accesses to user memory are over when it is seen lazy. Partner: the acquire in filter lazy,
		 * whose CPU then frees the frames without waiting for this one.
		 */
		store_release(&tlb->lazy, 1);
		count(&counter_lazy_entered, 1);
	}
	irq_restore(irqs);
}

void switch_to_kernel(void)
{
	switch_mm(&machine.mm.kernel);
}

void switch_init_cpu(void)
{
	struct tlb_state *tlb = &this_cpu()->tlb;
	const struct strategy *s = strategy_now();
	struct mm *kmm = &machine.mm.kernel;

	/* Whatever registers and entries this CPU came with: they are gone. */
	s->tagging->reset_cpu();
	store_relaxed(&tlb->lazy, 0);
	enter(kmm, load_relaxed(&kmm->tlb_gen));
	tlb_flush_everything();
	store_release(&tlb->loaded, (u64)kmm);
}

static void dump_line(unsigned cpu, char *buf, size_t size)
{
	const struct tlb_state *tlb = &machine.cpu[cpu].tlb;
	u64 loaded = load_relaxed(&tlb->loaded);

	if (loaded == LOADED_SWITCHING)
		ksnprintf(buf, size, "mm switching");
	else if (loaded == (u64)&machine.mm.kernel)
		ksnprintf(buf, size, "mm kernel");
	else
		ksnprintf(buf, size, "mm %llx%s", (unsigned long long)loaded, load_relaxed(&tlb->lazy) ? " lazy" : "");
}

DUMP(switch, dump_line);
