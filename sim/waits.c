/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who waits for whom, when nobody can go on: what each CPU waits for by the name that the kernel gave the wait, whose lock or
 * whose answer that is, what it holds itself, which interrupts it does not take, and the ring that they make, if they make one.
 * Locks are words that do not say who has them, so the kernel's own calls are watched (linked with --wrap). Owns `held`, which is
 * emptied for each schedule; nothing but this text depends on it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "machine.h"
#include "sim/glue.h"
#include "sim/oracle.h"
#include "sim/port.h"
#include "smp/lock.h"

#define HELD 8 /* locks that one CPU has at a time; of more the last ones are not told */

static struct {
	struct {
		const u64 *word;
		const char *name;
		bool shared;
	} lock[HELD];
	unsigned n;
} held[MODEL_CPUS];

void waits_begin(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		held[cpu].n = 0;
}

/* --- what is watched --- */

static void took(const u64 *word, const char *name, bool shared)
{
	unsigned n = held[model.current].n++;

	if (n >= HELD)
		return;
	held[model.current].lock[n].word = word;
	held[model.current].lock[n].name = name;
	held[model.current].lock[n].shared = shared;
}

/* Locks are given back in any order. */
static void gave_back(const u64 *word)
{
	unsigned n = held[model.current].n, i;

	for (i = 0; i < n && i < HELD && held[model.current].lock[i].word != word; i++)
		;
	if (i < n)
		held[model.current].n--;
	for (; i + 1 < n && i + 1 < HELD; i++)
		held[model.current].lock[i] = held[model.current].lock[i + 1];
}

void __real_lock_take(struct lock *l, const char *name);
void __wrap_lock_take(struct lock *l, const char *name);
void __real_lock_take_alone(struct lock *l, const char *name);
void __wrap_lock_take_alone(struct lock *l, const char *name);
void __real_lock_release(struct lock *l);
void __wrap_lock_release(struct lock *l);
void __real_rwlock_take_shared(struct rwlock *l, const char *name);
void __wrap_rwlock_take_shared(struct rwlock *l, const char *name);
void __real_rwlock_release_shared(struct rwlock *l);
void __wrap_rwlock_release_shared(struct rwlock *l);
void __real_rwlock_take_exclusive(struct rwlock *l, const char *name);
void __wrap_rwlock_take_exclusive(struct rwlock *l, const char *name);
void __real_rwlock_release_exclusive(struct rwlock *l);
void __wrap_rwlock_release_exclusive(struct rwlock *l);

void __wrap_lock_take(struct lock *l, const char *name)
{
	__real_lock_take(l, name);
	took(&l->held.raw, name, false);
}

void __wrap_lock_take_alone(struct lock *l, const char *name)
{
	__real_lock_take_alone(l, name);
	took(&l->held.raw, name, false);
}

void __wrap_lock_release(struct lock *l)
{
	gave_back(&l->held.raw);
	__real_lock_release(l);
}

void __wrap_rwlock_take_shared(struct rwlock *l, const char *name)
{
	__real_rwlock_take_shared(l, name);
	took(&l->state.raw, name, true);
}

void __wrap_rwlock_release_shared(struct rwlock *l)
{
	gave_back(&l->state.raw);
	__real_rwlock_release_shared(l);
}

void __wrap_rwlock_take_exclusive(struct rwlock *l, const char *name)
{
	__real_rwlock_take_exclusive(l, name);
	took(&l->state.raw, name, false);
}

void __wrap_rwlock_release_exclusive(struct rwlock *l)
{
	gave_back(&l->state.raw);
	__real_rwlock_release_exclusive(l);
}

/* --- who waits for whom --- */

static const u64 *waited_for(unsigned cpu)
{
	return model.cpu[cpu].state == CPU_BLOCKED ? model.cpu[cpu].wait_word : NULL;
}

static bool has_lock(unsigned cpu, const u64 *word)
{
	unsigned i;

	for (i = 0; i < held[cpu].n && i < HELD; i++)
		if (held[cpu].lock[i].word == word)
			return true;
	return false;
}

/* Its call for `other` has not been acknowledged. */
static bool asks(unsigned cpu, unsigned other)
{
	const struct call_node *nodes = machine.cpu[cpu].smp.call_nodes;

	return nodes && waited_for(cpu) == &nodes[other].busy.raw;
}

static bool waits_for(unsigned cpu, unsigned other)
{
	return waited_for(cpu) && (asks(cpu, other) || has_lock(other, waited_for(cpu)));
}

/* --- in words --- */

struct text {
	char *at;
	size_t size, n;
};

static __attribute__((format(printf, 2, 3))) void say(struct text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (t->n < t->size)
		t->n += (size_t)vsnprintf(t->at + t->n, t->size - t->n, fmt, args);
	va_end(args);
}

/* The ring on which `cpu` is, of CPUs that each wait for the next one; length 0: there is none. At most `limit` long. */
static unsigned ring_from(unsigned cpu, unsigned first, unsigned *ring, unsigned n, unsigned limit)
{
	unsigned other, length;

	ring[n++] = cpu;
	if (waits_for(cpu, first))
		return n;
	for (other = first + 1; other < model.nr_cpus && n < limit; other++)
		if (waits_for(cpu, other) && (length = ring_from(other, first, ring, n, limit)))
			return length;
	return 0;
}

static void say_ring(struct text *t)
{
	unsigned ring[8], cpu, i, n = 0, limit;

	/* The shortest, from its lowest CPU. */
	for (limit = 1; limit <= 8 && !n; limit++)
		for (cpu = 0; cpu < model.nr_cpus && !n; cpu++)
			n = ring_from(cpu, cpu, ring, 0, limit);
	for (i = 0; i < n; i++)
		say(t, i ? ", which waits for CPU %u" : ": CPU %u", ring[i]);
	if (n)
		say(t, n > 1 ? ", which waits for CPU %u" : " waits for itself", ring[0]);
}

static void say_lock(struct text *t, const u64 *word)
{
	unsigned cpu, n = 0;

	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (has_lock(cpu, word))
			say(t, n++ ? " and CPU %u" : ", which CPU %u has", cpu);
}

/* Where is the call? Taken: its function runs, or has been forgotten. */
static void say_call(struct text *t, unsigned cpu, unsigned other)
{
	const struct call_node *mine = &machine.cpu[cpu].smp.call_nodes[other], *queued;

	queued = (const struct call_node *)machine.cpu[other].smp.call_list.raw;
	while (queued && queued != mine)
		queued = (const struct call_node *)queued->next.raw;
	say(t, " by CPU %u, where the call %s", other, queued ? "is queued" : "has been taken");
}

static void say_word(struct text *t, unsigned cpu)
{
	const u64 *word = waited_for(cpu);
	unsigned other;

	for (other = 0; other < model.nr_cpus; other++)
		if (asks(cpu, other)) {
			say_call(t, cpu, other);
			return;
		}
	say_lock(t, word);
}

static void say_interrupts(struct text *t, unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];
	const char *off = (const char *)memory_own(cpu, &machine.cpu[cpu].smp.crumb.irqs_off.raw);
	unsigned vector, n = 0;

	if (c->irq_on)
		say(t, "; interrupts on");
	else if (c->in_handler)
		say(t, "; interrupts off in a handler");
	else
		say(t, "; interrupts off for %s, since step %llu", off ? off : "what is not said", (llu)c->irq_off_at);
	for (vector = 0; vector < 32; vector++)
		if (c->pending >> vector & 1)
			say(t, "%s%s", n++ ? ", " : ", pending: ", port_is_call(vector) ? "for a call" : "to wake it");
}

static void say_cpu(struct text *t, unsigned cpu)
{
	const struct model_cpu *c = &model.cpu[cpu];
	const char *what = (const char *)memory_own(cpu, &machine.cpu[cpu].smp.wait.what.raw);
	unsigned i;

	say(t, "\n  CPU %u ", cpu);
	if (c->state == CPU_DONE || (c->state == CPU_BLOCKED && !what && c->wait_word))
		say(t, "has done its part");
	else if (c->state == CPU_RUNS)
		say(t, "goes on");
	else
		say(t, "%s %s", c->wait_word ? "waits for" : "is halted until an interrupt comes, waiting for",
		    what ? what : "nothing");
	if (what && c->state == CPU_BLOCKED && c->wait_word)
		say_word(t, cpu);
	for (i = 0; i < held[cpu].n && i < HELD; i++)
		say(t, "; has %s%s", held[cpu].lock[i].name, held[cpu].lock[i].shared ? " (shared)" : "");
	say_interrupts(t, cpu);
}

void oracle_waits(char *text, size_t size)
{
	struct text t = { text, size, 0 };
	unsigned cpu;

	*text = '\0';
	say_ring(&t);
	for (cpu = 0; cpu < model.nr_cpus && cpu < 16; cpu++)
		say_cpu(&t, cpu);
	if (model.nr_cpus > cpu)
		say(&t, "\n  and %u more CPUs", model.nr_cpus - cpu);
}
