/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which steps need not be tried in every order with everything else (partial-order reduction, for exhaust.c).
 *
 * A step is local if it commutes with all that others may ever do before its CPU goes on: a plain store, which only enters the
 * CPU's own buffer (but its interrupt handler could read it); a load of a word that nobody else writes; a locked operation on a
 * word that nobody else touches, with nothing in the buffer; and no word to an oracle in the C that follows. A CPU's interrupt
 * handler is somebody else. Who touches which word is not known beforehand: a word counts as its user's own until the search
 * itself sees somebody else there. Then all that was concluded from it is void, and the search begins again, with what it knows
 * now. (Of two runs that differ in the order of local steps only one is looked at, so the first foreign access is not missed:
 * before it, that run and the one looked at are the same but for that order. The same argument as for exclusive-access assertions:
 * Holzmann and Peled, FORTE 1994; Stoller, SPIN 2000.)
 *
 * On arm64 a step that comes early never gives fewer outcomes where it only touches what is the CPU's own: loads after it may
 * return what memory was since then. So a TLBI is local too (it takes effect by a step of its own), and so are a DMB and loads that
 * let no store go first. What is not: when a store leaves its buffer. Others can see that, and its CPU's loads after a DMB are not
 * earlier, so it has to be tried before every write of others, whoever reads the word (node_find_effects()).
 *
 * Rule 1 of the house makes plain C between two primitives harmless otherwise: it touches what the CPU owns or what a lock
 * protects, and locks are words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/effects.h"
#include "sim/reduce.h"

struct effects effects;

/* --- what a primitive touches, by the name that it gives itself in model_step() --- */

static const struct {
	const char *name;
	struct class class;
} classes[] = {
	{ "load", { .reads = true } },
	{ "store", { .writes = true } },
	{ "add", { .reads = true, .writes = true, .drains = true } },
	{ "or", { .reads = true, .writes = true, .drains = true } },
	{ "and", { .reads = true, .writes = true, .drains = true } },
	{ "xchg", { .reads = true, .writes = true, .drains = true } },
	{ "cas", { .reads = true, .writes = true, .drains = true } },
	{ "fence", { .drains = true } },
	{ "cli", { 0 } },
	{ "sti", { 0 } },
	{ "va load", { .tlb = true, .walks = true } },
	{ "va store", { .tlb = true, .walks = true, .world = true } }, /* D */
	{ "invlpg", { .drains = true, .tlb = true } },
	{ "invpcid", { .drains = true, .tlb = true } },
	{ "mov cr3", { .drains = true, .tlb = true } },
	{ "mov cr4", { .drains = true, .tlb = true } },
	{ "wrmsr efer", { .drains = true, .tlb = true } },
	{ "x2apic icr", { .sends = true } },
	{ "xapic icr", { .drains = true, .sends = true } },
	/* arm64 */
	{ "load-acquire", { .reads = true, .acquire = true } },
	{ "store-release", { .writes = true } },
	{ "cas relaxed", { .reads = true, .writes = true, .drains = true } },
	{ "dmb ish", { 0 } },
	{ "unmask", { 0 } },
	{ "tlbi", { 0 } }, /* when it takes effect is a step of its own */
	{ "dsb", { .drains = true, .tlb = true, .walks = true, .world = true } },
	{ "isb", { .tlb = true } },
	{ "msr ttbr0", { .tlb = true } },
	{ "sgi", { .sends = true } },
	{ "device store", { .sends = true } },
};

/* A name that is not in the list may touch anything: slower, never wrong. */
static struct class find_class(const char *what)
{
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (!strcmp(classes[i].name, what))
			return classes[i].class;
	return (struct class){ .reads = true, .writes = true, .drains = true, .tlb = true,
			       .walks = true, .world = true, .sends = true, .anything = true };
}

/* The names are constants: what is known of one goes by its address. */
struct class reduce_class(const char *what)
{
	static struct {
		const char *what;
		struct class class;
	} last[64];
	unsigned i = (u64)what * 0x9e3779b97f4a7c15ull >> 58;

	if (last[i].what != what) {
		last[i].what = what;
		last[i].class = find_class(what);
	}
	return last[i].class;
}

/* --- who touches which word --- */

#define WORDS 8192 /* power of two */

/* Masks of agents: two for each CPU, its thread and its interrupt handler. Assumed: whose own it was taken for. */
struct known {
	const u64 *at;
	u64 readers, writers, assumed_unwritten, assumed_own, assumed_unseen, assumed_in_cpu;
};

static struct known words[WORDS];
static unsigned nr_words;
static u8 walked[ARENA_BYTES / PAGE];
static bool interrupted[REDUCE_CPUS], assumed_quiet[REDUCE_CPUS];
static bool void_now;

static u64 cpu_mask(unsigned cpu)
{
	return 3ull << 2 * cpu;
}

static u64 agent(unsigned cpu)
{
	return 1ull << (2 * cpu + model.cpu[cpu].in_handler);
}

static bool in_arena(const u64 *at)
{
	return (const u8 *)at >= ARENA && (const u8 *)at < ARENA + ARENA_BYTES;
}

bool reduce_walked(const u64 *at)
{
	return in_arena(at) && walked[((const u8 *)at - ARENA) / PAGE];
}

static struct known *word(const u64 *at)
{
	unsigned i = (unsigned)((u64)at >> 3) * 0x9e3779b1u % WORDS;

	while (words[i].at && words[i].at != at)
		i = (i + 1) % WORDS;
	if (!words[i].at) {
		if (++nr_words > WORDS / 2) {
			fprintf(stderr, "tlblab sim: the search can't go on: more than %u words\n", WORDS / 2);
			exit(3);
		}
		words[i].at = at;
	}
	return &words[i];
}

void effects_walked(u64 pa)
{
	const u8 *page = ARENA + pa / PAGE * PAGE;
	unsigned i;

	if (pa >= ARENA_BYTES || walked[pa / PAGE])
		return;
	walked[pa / PAGE] = 1;
	for (i = 0; i < WORDS; i++)
		if ((const u8 *)words[i].at >= page && (const u8 *)words[i].at < page + PAGE &&
		    (words[i].assumed_unwritten | words[i].assumed_own | words[i].assumed_in_cpu))
			void_now = true;
}

void reduce_saw(unsigned cpu, const struct step_log *s)
{
	struct class c = reduce_class(s->what);
	u64 me = agent(cpu);
	struct known *w;

	if (c.anything || !(c.reads || c.writes))
		return;
	w = word((const u64 *)s->a);
	w->readers |= c.reads ? me : 0;
	w->writers |= c.writes ? me : 0;
	if ((c.writes && (w->assumed_unwritten & ~me)) || (w->assumed_own & ~me) || (w->assumed_in_cpu & ~cpu_mask(cpu)) ||
	    (w->assumed_unseen & cpu_mask(cpu) & ~me))
		void_now = true;
}

void reduce_saw_interrupt(unsigned cpu)
{
	interrupted[cpu] = true;
	void_now |= assumed_quiet[cpu];
}

bool reduce_void(void)
{
	unsigned i;

	if (!void_now)
		return false;
	void_now = false;
	memset(assumed_quiet, 0, sizeof(assumed_quiet));
	for (i = 0; i < WORDS; i++)
		words[i].assumed_unwritten = words[i].assumed_own = words[i].assumed_unseen = words[i].assumed_in_cpu = 0;
	return true;
}

void reduce_begin(void)
{
	memset(words, 0, sizeof(words));
	memset(interrupted, 0, sizeof(interrupted));
	nr_words = 0;
	void_now = true;
	reduce_void();
}

/* A plain store only enters the CPU's own buffer. What others see is that it leaves it; the CPU's own handler sees it before. */
static bool unseen(const u64 *at, unsigned cpu)
{
	struct known *w = word(at);
	u64 others = cpu_mask(cpu) & ~agent(cpu);

	if ((w->readers | w->writers) & others)
		return false;
	w->assumed_unseen |= agent(cpu);
	return true;
}

/*
 * Nobody but this agent touches it, or writes it. In a page table only an entry that is not present: walkers set bits in others.
 */
static bool own(const u64 *at, u64 me, bool written)
{
	struct known *w = word(at);

	if (reduce_walked(at) && (written || *at))
		return false;
	if ((w->writers | (written ? w->readers : 0)) & ~me)
		return false;
	*(written ? &w->assumed_own : &w->assumed_unwritten) |= me;
	return true;
}

bool reduce_step_local(unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];
	const struct step_log *s = sched_standing(cpu);
	struct class class = reduce_class(s->what);

	if (c->state == CPU_BLOCKED)
		return true; /* a wait that is over: the waiter only looks round once more */
	if (class.anything || class.tlb || class.sends || class.world)
		return false;
	if (class.drains ? c->isa.nr_stores : class.writes && c->isa.nr_stores == STORE_BUFFER)
		return false;
	if (class.reads && isa_load_drains(cpu, class.acquire))
		return false;
	if (class.writes && !class.drains)
		return unseen((const u64 *)s->a, cpu);
	return !(class.reads || class.writes) || own((const u64 *)s->a, agent(cpu), class.writes);
}

/* After a step that was taken for local: nothing came along with it. */
bool reduce_stayed_local(unsigned cpu, bool irq_was_on)
{
	if (irq_was_on && !model.cpu[cpu].irq_on && model.cpu[cpu].state != CPU_DONE) {
		if (interrupted[cpu])
			return false; /* the last chance for an interrupt before that */
		assumed_quiet[cpu] = true;
	}
	return !effects.world;
}

bool reduce_drain_local(unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];
	struct known *w;
	unsigned i, n;

	/* Which one goes is not known where they leave in any order. */
	n = STORES_IN_ORDER && c->isa.nr_stores ? 1 : c->isa.nr_stores;
	for (i = 0; i < n; i++) {
		w = word(c->isa.stores[i].at);
		if (reduce_walked(w->at) || ((w->readers | w->writers) & ~cpu_mask(cpu)))
			return false;
	}
	for (i = 0; i < n; i++)
		word(c->isa.stores[i].at)->assumed_in_cpu |= cpu_mask(cpu);
	return n;
}

bool reduce_private(const u64 *at)
{
	struct known *w;
	unsigned cpu;
	u64 who;

	if (!at || reduce_walked(at))
		return !at;
	w = word(at);
	who = w->readers | w->writers;
	cpu = who ? (unsigned)__builtin_ctzll(who) / 2 : 0;
	if (!who || (who & ~cpu_mask(cpu)))
		return false;
	w->assumed_in_cpu |= cpu_mask(cpu);
	return true;
}

static bool buffered(unsigned cpu, const u64 *at)
{
	unsigned i;

	for (i = 0; i < model.cpu[cpu].isa.nr_stores; i++)
		if (model.cpu[cpu].isa.stores[i].at == at)
			return true;
	return false;
}

bool reduce_drain_enables(unsigned cpu)
{
	unsigned other;

	for (other = 0; other < model.nr_cpus; other++)
		if (other != cpu && model.cpu[other].state == CPU_BLOCKED && model.cpu[other].wait_word &&
		    buffered(cpu, model.cpu[other].wait_word))
			return true;
	return false;
}

bool reduce_drain_walked(unsigned cpu)
{
	unsigned i;

	for (i = 0; i < model.cpu[cpu].isa.nr_stores; i++)
		if (reduce_walked(model.cpu[cpu].isa.stores[i].at))
			return true;
	return false;
}

struct class reduce_about(unsigned cpu, bool interrupt)
{
	const struct step_log *s = sched_standing(cpu);
	struct class class = { 0 };

	/* It empties the buffer on x86; on arm64 the root that was written last is in use from then on. */
	if (interrupt)
		class.drains = !LATE_LOADS, class.tlb = LATE_LOADS;
	else if (model.cpu[cpu].state == CPU_RUNS)
		class = reduce_class(s->what);
	if (class.reads && isa_load_drains(cpu, class.acquire))
		class.drains = true;
	/* It changes what walkers see. */
	if (class.drains && (reduce_drain_walked(cpu) || (class.writes && reduce_walked((const u64 *)s->a))))
		class.world = true;
	return class;
}

bool reduce_drain_conflicts(unsigned cpu, unsigned other, bool interrupt)
{
	const struct step_log *s = sched_standing(other);
	struct class class = reduce_about(other, interrupt);
	unsigned i;

	if (class.anything || (class.walks && reduce_drain_walked(cpu)))
		return true;
	/* A plain store only enters its own buffer. */
	if ((class.reads || class.drains) && !interrupt && (class.reads || class.writes) && buffered(cpu, (const u64 *)s->a))
		return true;
	for (i = 0; class.drains && i < model.cpu[other].isa.nr_stores; i++)
		if (buffered(cpu, model.cpu[other].isa.stores[i].at))
			return true;
	return false;
}
