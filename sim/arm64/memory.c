/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory order of arm64 (Arm ARM B2.3). One memory, in which a store becomes visible to all others at once, at a time of its own:
 * times are numbers of writes. A store waits in a buffer and leaves it in any order that the word, DMB and STLR allow. A load is
 * performed at any time between the last thing that it is ordered after and now, so it may return what the word was then: ordered
 * after DMB, DSB, exceptions, an LDAR, loads of the same word, and a load whose value is a pointer to where it reads (an address
 * dependency; others can't be seen). Nothing is performed later than its step, except stores: no load passes a later store.
 *
 * Walks read memory, never a buffer, and what DMB orders need not be in order for them: a store to a table is surely seen by walks
 * only after a DSB of a CPU that stored it, or has read something that was stored by one that knew of it (D8.2.6; Simner et al.,
 * ESOP 2022). Owns the parts of struct isa_cpu and isa_model that are named so.
 */
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"
#include "sim/sched.h"

static struct isa_cpu *isa_of(unsigned cpu)
{
	return &model.cpu[cpu].isa;
}

static struct isa_cpu *self(void)
{
	return isa_of(model.current);
}

static u64 later(u64 a, u64 b)
{
	return a > b ? a : b;
}

u64 memory_horizon(void)
{
	return model.isa.time > WRITES ? model.isa.time - WRITES : 0;
}

/* Every later load is performed at `time` or after it: what is remembered from before orders nothing any more. */
static void raise_floor(struct isa_cpu *c, u64 time)
{
	unsigned i;

	c->floor = later(c->floor, time);
	for (i = 0; i < c->nr_seen; i++)
		if (c->seen[i].time <= c->floor)
			c->seen[i--] = c->seen[--c->nr_seen];
	for (i = 0; i < c->nr_dependencies; i++)
		if (c->dependency[i].time <= c->floor)
			c->dependency[i--] = c->dependency[--c->nr_dependencies];
}

/* --- accesses that are performed --- */

static void note_seen(struct isa_cpu *c, const u64 *at, u64 time)
{
	unsigned i, oldest = 0;

	c->done = later(c->done, time);
	for (i = 0; i < c->nr_seen && c->seen[i].at != at; i++)
		if (c->seen[i].time < c->seen[oldest].time)
			oldest = i;
	if (i == SEEN) { /* the model's limit */
		raise_floor(c, c->seen[oldest].time);
		i = c->nr_seen;
	}
	if (i == c->nr_seen)
		c->nr_seen++;
	c->seen[i].at = at;
	c->seen[i].time = time;
}

void memory_write(unsigned cpu, u64 *at, u64 value)
{
	struct isa_model *m = &model.isa;
	struct isa_cpu *c = isa_of(cpu);

	m->time++;
	walks_stored(cpu, at, value);
	m->writes[m->time % WRITES] = (struct write){ at, *at, c->known };
	*at = value;
	note_seen(c, at, m->time);
}

/* The number of the last write to the word; 0: longer ago than is known. */
static u64 last_write(const u64 *at)
{
	u64 w;

	for (w = model.isa.time; w > memory_horizon(); w--)
		if (model.isa.writes[w % WRITES].at == at)
			return w;
	return 0;
}

static void know(struct isa_cpu *c, u64 write)
{
	if (write)
		c->known |= model.isa.writes[write % WRITES].known;
}

/* Is `value`, loaded before, a pointer to what holds `at`, be it virtual or in an entry? Structs are at most a page. */
static bool depends(u64 value, const u64 *at)
{
	return (u64)at - value < PAGE || (u64)at - (u64)(ARENA + (value & PTE_ADDR)) < PAGE;
}

/* The earliest time at which a load of the word may be performed. */
static u64 earliest(const struct isa_cpu *c, const u64 *at)
{
	u64 time = later(c->floor, memory_horizon());
	unsigned i;

	for (i = 0; i < c->nr_seen; i++)
		if (c->seen[i].at == at)
			time = later(time, c->seen[i].time);
	for (i = 0; i < c->nr_dependencies; i++)
		if (depends(c->dependency[i].value, at))
			time = later(time, c->dependency[i].time);
	return time;
}

/* At any time after `after`, and what else it is ordered after; *time: when, the earliest at which the word was that. */
static u64 perform_load(struct isa_cpu *c, const u64 *at, u64 after, u64 *time)
{
	u64 least = later(earliest(c, at), after), value = *at, w, since = 0;
	unsigned n = 1, pick;

	for (w = model.isa.time; w > least; w--)
		n += model.isa.writes[w % WRITES].at == at;
	pick = n > 1 ? model_choose(n) : 0;
	for (w = model.isa.time; w > memory_horizon(); w--) {
		if (model.isa.writes[w % WRITES].at != at)
			continue;
		if (!pick--) {
			since = w;
			break;
		}
		value = model.isa.writes[w % WRITES].old;
	}
	know(c, since);
	*time = later(least, since);
	note_seen(c, at, *time);
	return value;
}

static void note_dependency(struct isa_cpu *c, u64 value, u64 time)
{
	unsigned i = c->nr_dependencies;

	if (value < PAGE || time <= c->floor)
		return;
	if (i == DEPENDENCIES) { /* the model's limit */
		raise_floor(c, c->dependency[0].time);
		i = c->nr_dependencies;
	}
	c->dependency[i].value = value;
	c->dependency[i].time = time;
	c->nr_dependencies++;
}

/* --- the store buffer --- */

unsigned memory_pending(unsigned cpu)
{
	return isa_of(cpu)->nr_stores + isa_of(cpu)->held.on;
}

static const struct store *newest(const struct isa_cpu *c, const u64 *at)
{
	unsigned i;

	for (i = c->nr_stores; i-- > 0;)
		if (c->stores[i].at == at)
			return &c->stores[i];
	return NULL;
}

u64 memory_own(unsigned cpu, const u64 *at)
{
	const struct store *s = newest(isa_of(cpu), at);

	return s ? s->value : *at;
}

/* Must store i wait for one before it: to the same word, before a DMB, or for all, as STLR does? */
static bool must_wait(const struct isa_cpu *c, unsigned i)
{
	unsigned j;

	for (j = 0; j < i; j++)
		if (c->stores[i].release || c->stores[j].at == c->stores[i].at || c->stores[j].epoch != c->stores[i].epoch)
			return true;
	return false;
}

static void drain(unsigned cpu, unsigned i)
{
	struct isa_cpu *c = isa_of(cpu);
	struct store s = c->stores[i];

	for (c->nr_stores--; i < c->nr_stores; i++)
		c->stores[i] = c->stores[i + 1];
	memory_write(cpu, s.at, s.value);
	if (s.release)
		c->released = model.isa.time;
	if (s.epoch != c->epoch) /* a DMB has come since, and loads after that are after this store */
		raise_floor(c, model.isa.time);
	model.seen.drains++;
}

void memory_drain_one(unsigned cpu)
{
	struct isa_cpu *c = isa_of(cpu);
	unsigned can[STORE_BUFFER + 1], n = 0, i;

	for (i = 0; i < c->nr_stores; i++)
		if (!must_wait(c, i))
			can[n++] = i;
	if (c->held.on)
		can[n++] = STORE_BUFFER;
	if (!n)
		return;
	i = can[model_choose(n)];
	if (i == STORE_BUFFER)
		held_perform(cpu);
	else
		drain(cpu, i);
}

void memory_drain(unsigned cpu)
{
	while (isa_of(cpu)->nr_stores)
		drain(cpu, 0);
	held_perform(cpu);
}

/* --- what instructions do --- */

/* A load comes after stores before a DMB, and LDAR after STLR. */
static void drain_before_load(struct isa_cpu *c, bool acquire)
{
	unsigned i, n = 0;

	for (i = 0; i < c->nr_stores; i++)
		if (c->stores[i].epoch != c->epoch || (acquire && c->stores[i].release))
			n = i + 1;
	while (n--)
		drain(model.current, 0);
}

u64 memory_load(const u64 *at, bool acquire)
{
	struct isa_cpu *c = self();
	const struct store *own;
	u64 value, time;

	drain_before_load(c, acquire);
	own = newest(c, at);
	if (own)
		return own->value;
	value = perform_load(c, at, acquire ? c->released : 0, &time);
	if (acquire)
		raise_floor(c, time);
	else
		note_dependency(c, value, time);
	return value;
}

void memory_store(u64 *at, u64 value, bool release)
{
	struct isa_cpu *c = self();

	if (release)
		held_perform(model.current);
	if (c->nr_stores == STORE_BUFFER)
		drain(model.current, 0);
	c->stores[c->nr_stores++] = (struct store){ at, value, c->epoch, release };
}

/* A release operation, and DMB ISH after it: what is before is performed, and reads and writes of the word are one. */
u64 memory_update_begin(const u64 *at)
{
	memory_drain(model.current);
	know(self(), last_write(at));
	return *at;
}

void memory_update_end(u64 *at, u64 value)
{
	memory_write(model.current, at, value);
	raise_floor(self(), model.isa.time);
}

/* DMB ISH, and another one after it: if it fails it is a load, which may return an old value. */
bool memory_compare(const u64 *at, u64 expected)
{
	u64 seen;

	memory_dmb();
	seen = memory_load(at, false);
	memory_dmb();
	return seen == expected && memory_update_begin(at) == expected;
}

/* Only what this CPU has stored to the same word comes before. */
bool memory_compare_relaxed(u64 *at, u64 expected, u64 value)
{
	struct isa_cpu *c = self();

	while (newest(c, at))
		drain(model.current, 0);
	if (memory_load(at, false) != expected || *at != expected)
		return false;
	know(c, last_write(at));
	memory_write(model.current, at, value);
	return true;
}

/* Loads that come later are after loads before; after stores before, too: they see to that when they come. */
void memory_dmb(void)
{
	struct isa_cpu *c = self();

	held_perform(model.current);
	c->epoch += !!c->nr_stores;
	raise_floor(c, c->done);
}

/* Nothing that comes after a DSB begins before it is done, of whatever kind. */
void memory_dsb(void)
{
	memory_drain(model.current);
	raise_floor(self(), model.isa.time);
	walks_publish(model.current);
}

/*
 * ISB orders loads only behind a branch that depends on earlier ones, which can't be seen: it is taken to be there. An exception
 * is taken now, and nothing of its handler has begun. Neither empties the buffer.
 */
void memory_synchronize(unsigned cpu, bool now)
{
	struct isa_cpu *c = isa_of(cpu);

	raise_floor(c, now ? model.isa.time : c->done);
}
