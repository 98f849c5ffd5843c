/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The race build (make sim SIM_RACE=1): a race is two accesses to one place, one of them a plain one and one of them a store, that
 * nothing orders. The compiler (-fsanitize=thread) calls a hook here before each plain access of the kernel's code;
 * <machine/atomic.h> tells of operations on shared words, step.c of interrupts. What they order is what include/arch/atomic.h
 * promises, not more, whichever ISA runs: vector clocks of CPUs, happens-before as in C11.
 *
 * A load is taken to have read the newest store of the value that it returned, so a race may be missed, never made up. Looked at
 * is what all CPUs can reach: struct machine, memory, the scenario's state; not stacks. An interrupt handler and what it interrupts
 * are one CPU. Owns all that is static here; forgotten for each schedule.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "sim/oracle.h"
#include "sim/race.h"
#include "sim/scenario.h"
#include "sim/sched.h"

#define CPUS 64
#define CELLS (1u << 16)
#define ACCESSES 8 /* remembered of one cell; with more the oldest is forgotten */
#define WORDS (1u << 15) /* that are stored to */
#define STORES 4 /* remembered of one word one by one */

struct clock {
	u32 of[CPUS];
};

struct access_made {
	u16 cpu;
	u8 bytes; /* of the eight, one bit each */
	bool store, plain;
	u32 time;
	void *pc;
};

struct cell {
	u64 at;
	u32 schedule, nr;
	struct access_made made[ACCESSES];
};

struct stored {
	u64 value;
	struct clock clock; /* what who reads it with acquire is after */
};

struct shared_word {
	u64 at;
	u32 schedule, nr;
	struct stored stores[STORES]; /* the newest last */
	struct clock older;
};

static struct cell cells[CELLS];
static struct shared_word words[WORDS];
static struct clock now[CPUS]; /* what each CPU is after */
static struct clock fenced[CPUS]; /* ... was after at its last full barrier */
static struct clock seen[CPUS]; /* ... will be after with the next one, by relaxed loads */
static struct clock sent[CPUS]; /* by interrupts under way to it */
static u32 schedule;
static bool on;

static struct {
	void *pc;
	bool store, plain;
	unsigned cpu;
} found[2];

static void join(struct clock *to, const struct clock *from)
{
	unsigned i;

	for (i = 0; i < model.nr_cpus; i++)
		if (from->of[i] > to->of[i])
			to->of[i] = from->of[i];
}

void race_begin(void)
{
	unsigned i;

	if (model.nr_cpus > CPUS) {
		fprintf(stderr, "tlblab sim: the race build takes at most %u CPUs\n", CPUS);
		exit(2);
	}
	schedule++;
	memset(now, 0, sizeof(now));
	memset(fenced, 0, sizeof(fenced));
	memset(seen, 0, sizeof(seen));
	memset(sent, 0, sizeof(sent));
	for (i = 0; i < model.nr_cpus; i++)
		now[i].of[i] = 1;
}

/* --- accesses --- */

static struct cell *cell_of(u64 at)
{
	u32 i = (u32)(at * 0x9e3779b97f4a7c15ull >> 40) % CELLS, tries;

	for (tries = 0; tries < 64; tries++, i = (i + 1) % CELLS) {
		if (cells[i].schedule != schedule) {
			cells[i].at = at;
			cells[i].schedule = schedule;
			cells[i].nr = 0;
		}
		if (cells[i].at == at)
			return &cells[i];
	}
	return NULL; /* the table is full: nothing more is seen there */
}

static void report(const struct access_made *first, const struct access_made *second, u64 at)
{
	const struct access_made *both[] = { first, second };
	unsigned i;

	for (i = 0; i < 2; i++) {
		found[i].pc = both[i]->pc;
		found[i].store = both[i]->store;
		found[i].plain = both[i]->plain;
		found[i].cpu = both[i]->cpu;
	}
	violation("O-RACE", "CPU %u %s 0x%llx by a %s access, CPU %u %s it by a %s access, and nothing orders them", first->cpu,
		  first->store ? "stores to" : "reads", (llu)at, first->plain ? "plain" : "shared word's", second->cpu,
		  second->store ? "stores to" : "reads", second->plain ? "plain" : "shared word's");
}

/* Within eight bytes that are aligned. */
static void made(u64 at, u8 bytes, bool store, bool plain, void *pc)
{
	unsigned self = model.current, i, same;
	struct cell *p = cell_of(at);
	struct access_made a = { (u16)self, bytes, store, plain, now[self].of[self], pc };

	if (!p)
		return;
	for (i = 0, same = ACCESSES; i < p->nr; i++) {
		const struct access_made *b = &p->made[i];

		if (b->cpu == self) {
			if (b->bytes == bytes && b->store == store && b->plain == plain)
				same = i;
			continue;
		}
		if ((b->bytes & bytes) && (b->store || store) && (b->plain || plain) && b->time > now[self].of[b->cpu] &&
		    oracle_on("O-RACE"))
			report(b, &a, at);
	}
	if (same == ACCESSES && p->nr < ACCESSES)
		same = p->nr++;
	if (same == ACCESSES) {
		memmove(p->made, p->made + 1, sizeof(p->made) - sizeof(p->made[0]));
		same = ACCESSES - 1;
	}
	p->made[same] = a;
}

static bool shared(u64 at)
{
	return at - (u64)ARENA < ARENA_BYTES || at - (u64)&machine < sizeof(machine) || at - (u64)&scene < sizeof(scene);
}

static void plain(u64 at, u64 bytes, bool store, void *pc)
{
	u64 end = at + bytes, n;

	if (!on || !sched_on || !shared(at))
		return;
	for (; at < end; at += n) {
		n = 8 - at % 8 < end - at ? 8 - at % 8 : end - at;
		made(at & ~7ull, (u8)(((1u << n) - 1) << at % 8), store, true, pc);
	}
}

/* --- shared words --- */

/* NULL: it was not stored to in this schedule, and shall not be. */
static struct shared_word *word_of(const u64 *at, bool to_store)
{
	u32 i = (u32)((u64)at * 0x9e3779b97f4a7c15ull >> 40) % WORDS, tries;

	for (tries = 0; tries < WORDS; tries++, i = (i + 1) % WORDS) {
		if (words[i].schedule != schedule) {
			if (!to_store)
				return NULL;
			words[i].at = (u64)at;
			words[i].schedule = schedule;
			words[i].nr = 0;
			memset(&words[i].older, 0, sizeof(words[i].older));
		}
		if (words[i].at == (u64)at)
			return &words[i];
	}
	fprintf(stderr, "tlblab sim: too many shared words for the race build\n");
	exit(3);
}

/* What a load that returned `value` is after, if it acquires. */
static const struct clock *read_from(const struct shared_word *w, u64 value)
{
	unsigned i;

	for (i = w->nr; i-- > 0;)
		if (w->stores[i].value == value)
			return &w->stores[i].clock;
	return &w->older;
}

static void keep_store(struct shared_word *w, u64 value, const struct clock *clock)
{
	if (w->nr == STORES) {
		join(&w->older, &w->stores[0].clock);
		memmove(w->stores, w->stores + 1, sizeof(w->stores) - sizeof(w->stores[0]));
		w->nr--;
	}
	w->stores[w->nr].value = value;
	w->stores[w->nr++].clock = *clock;
}

/* Earlier accesses are before what this CPU stores from here on, later ones after what it has loaded. */
static void full(void)
{
	unsigned self = model.current;

	join(&now[self], &seen[self]);
	fenced[self] = now[self];
	now[self].of[self]++;
}

void race_load(const u64 *at, u64 value, bool acquire)
{
	const struct shared_word *w;

	if (!on || !sched_on)
		return;
	w = word_of(at, false);
	if (w)
		join(acquire ? &now[model.current] : &seen[model.current], read_from(w, value));
	made((u64)at, 0xff, false, false, __builtin_return_address(0));
}

void race_store(u64 *at, u64 value, bool release)
{
	unsigned self = model.current;

	if (!on || !sched_on)
		return;
	made((u64)at, 0xff, true, false, __builtin_return_address(0));
	keep_store(word_of(at, true), value, release ? &now[self] : &fenced[self]);
	if (release)
		now[self].of[self]++;
}

/* It reads the newest store of all, and continues what that released. */
void race_update(u64 *at, u64 value, bool with_full)
{
	unsigned self = model.current;
	struct shared_word *w;
	struct clock clock;

	if (!on || !sched_on)
		return;
	w = word_of(at, true);
	join(&seen[self], w->nr ? &w->stores[w->nr - 1].clock : &w->older);
	made((u64)at, 0xff, true, false, __builtin_return_address(0));
	if (with_full)
		full();
	clock = fenced[self];
	join(&clock, w->nr ? &w->stores[w->nr - 1].clock : &w->older);
	keep_store(w, value, &clock);
}

void race_fence(void)
{
	if (on && sched_on)
		full();
}

/* --- interrupts: what was before the command is before the handler (include/arch/irq.h) --- */

void race_send(unsigned cpu)
{
	join(&sent[cpu], &now[model.current]);
	now[model.current].of[model.current]++;
}

void race_taken(void)
{
	join(&now[model.current], &sent[model.current]);
}

/* --- what the compiler calls --- */

void __tsan_init(void);
void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);

/* Called by constructors, as it would be for libtsan: there are hooks, so the objects were built for them. */
void __tsan_init(void)
{
	on = true;
}

#define HOOK(name, bytes, store)                                                                                                   \
	void name(void *at);                                                                                                       \
	void name(void *at)                                                                                                        \
	{                                                                                                                          \
		plain((u64)at, bytes, store, __builtin_return_address(0));                                                         \
	}

HOOK(__tsan_read1, 1, false)
HOOK(__tsan_read2, 2, false)
HOOK(__tsan_read4, 4, false)
HOOK(__tsan_read8, 8, false)
HOOK(__tsan_read16, 16, false)
HOOK(__tsan_write1, 1, true)
HOOK(__tsan_write2, 2, true)
HOOK(__tsan_write4, 4, true)
HOOK(__tsan_write8, 8, true)
HOOK(__tsan_write16, 16, true)
HOOK(__tsan_unaligned_read2, 2, false)
HOOK(__tsan_unaligned_read4, 4, false)
HOOK(__tsan_unaligned_read8, 8, false)
HOOK(__tsan_unaligned_read16, 16, false)
HOOK(__tsan_unaligned_write2, 2, true)
HOOK(__tsan_unaligned_write4, 4, true)
HOOK(__tsan_unaligned_write8, 8, true)
HOOK(__tsan_unaligned_write16, 16, true)

void __tsan_read_range(void *at, size_t bytes)
{
	plain((u64)at, bytes, false, __builtin_return_address(0));
}

void __tsan_write_range(void *at, size_t bytes)
{
	plain((u64)at, bytes, true, __builtin_return_address(0));
}

/* --- places --- */

void race_show(void)
{
	char binary[200] = "", command[300];
	unsigned i;

	if (readlink("/proc/self/exe", binary, sizeof(binary) - 1) < 0)
		return;

	for (i = 0; i < 2; i++) {
		printf("CPU %u %s, %s:\n    ", found[i].cpu, found[i].store ? "stores" : "reads",
		       found[i].plain ? "a plain access" : "a shared word");
		fflush(stdout);
		/* Binutils' that linked it; -i: the callers that it was inlined into. */
		snprintf(command, sizeof(command), "addr2line -s -f -p -i -e '%s' %p", binary, (void *)((char *)found[i].pc - 1));
		if (system(command))
			printf("%p\n", found[i].pc);
	}
}
