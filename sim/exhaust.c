/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All schedules, depth first. A schedule is a path of transitions: a CPU does its next primitive, takes an interrupt, a store
 * leaves a buffer, a walker fills, a broadcast takes effect, a freedom inside a primitive is used. A path is tried by running it
 * from the start; where it comes to a state that was seen before, it ends, for what comes after is known. A state is everything:
 * kernel, model, oracles, stacks of the CPUs (state.c), so equal states have equal futures; by a hash of 64 bits.
 *
 * What is left out (unless `unreduced`), at a state s:
 *	a step that is local (reduce.c) is the only one tried at s: all else comes after it;
 *	what happens by itself (stores that leave buffers, fills, broadcasts) is tried at s only if some step possible at s can
 *	notice. Else it comes after that step, where the question is asked again. That is sound since it lets no CPU go on that
 *	could not (a store that may end a wait always counts), and waits until somebody cares.
 * Either set is persistent in the sense of Godefroid (LNCS 1032). A state that comes again on its own path would let a set that is
 * too small go round for ever; it gets all of it then. If everybody who can go on does so on the way round, it is a livelock.
 *
 * With a bound on preemptions a state counts with the CPU that ran last, and only that one's steps are taken for local: to let it
 * go on costs nothing. Of states that differ in what is left of the bounds only, the richer one covers the poorer.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/effects.h"
#include "sim/exhaust.h"
#include "sim/exhaust_node.h"
#include "sim/reduce.h"
#include "sim/sched.h"

#define POOL (MAX_PATH * 8)

struct search search;

static struct node path[MAX_PATH];
static struct guide guide[MAX_PATH + REDUCE_CPUS];
static unsigned depth, nr_path, nr_guide; /* of the schedule under way; of the path that it follows */
static struct event *pool; /* options of the path's nodes, one after the other */
static size_t pool_used;

static void cover(double paths)
{
	if (nr_path)
		path[nr_path - 1].paths += paths;
	else
		search.interleavings = paths;
}

/* On the way round, which begins at path[from], everything happens that could all the time. */
static bool fair(unsigned from)
{
	u64 always = ~0ull, happens = 0;
	unsigned i;

	for (i = from; i < nr_path; i++) {
		/* A freedom is not used for ever: a load reads what is there in the end. */
		if (path[i].options[0].kind == FREE && path[i].taken)
			return false;
		if (path[i].options[0].kind == FREE)
			continue;
		always &= node_could(&path[i]);
		happens |= event_agent(&path[i].options[path[i].taken]);
	}
	return happens && !(always & ~happens);
}

/* A state is on its own path: a livelock, or somebody is left waiting; then nothing may be left out at the last step. */
static void came_round(u64 key)
{
	struct node *last = &path[nr_path - 1];
	unsigned from = nr_path;

	while (from-- > 0 && !(path[from].keyed && path[from].key == key))
		;
	if (fair(from)) {
		sched_do(&(struct event){ .kind = ROUND });
		return;
	}
	search.cycles++;
	if (last->stage != EVERYTHING) {
		last->stage = EVERYTHING;
		last->n = last->nr_all;
	}
}

/* True: the state is known, and so is what comes after it. */
static bool known(struct node *n)
{
	struct seen *s;

	n->key = search.state() ^ (node_bounded() ? (n->last + 1) * 0x9e3779b97f4a7c15ull : 0);
	n->key += !n->key;
	n->keyed = true;
	seen_grow(search.states);
	s = seen_find(n->key);
	if (s->key && s->fills >= n->fills && s->preemptions >= n->preemptions) {
		cover(s->on_path ? 0 : s->paths);
		if (s->on_path && s->fills == n->fills && s->preemptions == n->preemptions)
			came_round(n->key);
		return true;
	}
	search.states += !s->key;
	*s = (struct seen){ .key = n->key, .fills = n->fills, .preemptions = n->preemptions, .on_path = true };
	return false;
}

/* A node behind the path, not yet part of it. */
static struct node *next_node(void)
{
	const struct node *before = nr_path ? &path[nr_path - 1] : NULL;
	struct node *n = &path[nr_path];

	if (nr_path == MAX_PATH || pool_used + MAX_OPTIONS > POOL)
		search_give_up("a schedule has too many steps");
	*n = (struct node){ .last = NOBODY, .options = pool + pool_used, .fills = model.fill_budget };
	n->preemptions = node_bounded() ? (u8)search.preemptions : 0;
	if (before) {
		const struct event *o = &before->options[before->taken];

		n->last = before->last;
		n->preemptions = before->preemptions;
		if ((o->kind == GO_ON && !guide[nr_path - 1].woke) || o->kind == INTERRUPT) {
			n->preemptions -= node_bounded() && before->last_can && o->cpu != before->last;
			n->last = (u8)o->cpu;
		}
	}
	n->last_can = n->last != NOBODY && may_run(n->last);
	return n;
}

static void accept(struct node *n)
{
	pool_used += n->nr_all;
	if (++nr_path > search.longest)
		search.longest = nr_path;
}

#define LEARN 1000

static u64 dice = 1;

static unsigned draw(unsigned n)
{
	dice = dice * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(dice >> 33) % n;
}

/* A schedule at random, only to see who touches what: each foreign access that is known beforehand saves a new beginning. */
static void wander(void)
{
	struct node *n = &path[0];
	struct event *o;
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (!sched_do(&(struct event){ .kind = GO_ON, .cpu = cpu }))
			return;
	do {
		*n = (struct node){ .last = NOBODY, .options = pool };
		node_list(n);
		if (!n->nr_all)
			return;
		o = &n->options[draw(n->nr_steps && draw(8) ? n->nr_steps : n->nr_all)];
		if (o->kind == GO_ON && model.cpu[o->cpu].state == CPU_RUNS)
			reduce_saw(o->cpu, sched_standing(o->cpu));
		if (o->kind == INTERRUPT)
			reduce_saw_interrupt(o->cpu);
		depth = nr_path = 0;
	} while (sched_do(o));
}

unsigned exhaust_choose(unsigned choices)
{
	struct node *n;
	unsigned i;

	if (sched.search == wander)
		return draw(choices);
	if (depth == nr_path) {
		n = next_node();
		for (i = 0; i < choices; i++)
			node_add(n, FREE, model.current, i);
		n->stage = EVERYTHING;
		n->n = n->nr_all;
		accept(n);
	}
	n = &path[depth];
	guide[depth] = (struct guide){ .what = n->options[n->taken] };
	return path[depth++].taken;
}

/* The state at which the path ends, if it is new, becomes part of it. False: known, or stuck. */
static bool extend(void)
{
	struct node *n = next_node();

	node_list(n);
	if (!n->nr_all || (!n->nr_steps && n->options[0].kind == FILL)) { /* a fill lets nobody go on */
		sched_do(&(struct event){ .kind = STUCK });
		return false;
	}
	node_find_effects(n);
	n->stage = search.unreduced || !n->nr_steps ? EVERYTHING : STEPS;
	if (n->stage == STEPS && node_find_local(n))
		n->stage = LOCAL;
	n->n = n->stage == LOCAL ? 1 : n->stage == STEPS ? n->nr_steps : n->nr_all;
	if (known(n))
		return false;
	accept(n);
	return true;
}

/* What came with the step that was tried last, for the first time. */
static void arrived(struct node *n, bool ended)
{
	const struct event *o = &n->options[n->taken];

	if (n->stage == LOCAL && o->kind == GO_ON && !reduce_stayed_local(o->cpu, n->irq_was_on)) {
		n->stage = STEPS;
		n->n = n->nr_steps;
	}
	n->world |= effects.world || ended;
}

/* One step along the path. False: the schedule has ended. */
static bool step(void)
{
	struct node *n = &path[depth];
	const struct event *o = &n->options[n->taken];
	const struct model_cpu *c = &model.cpu[o->cpu];
	unsigned i = depth++;
	bool on;

	guide[i] = (struct guide){ *o, c->state == CPU_BLOCKED && o->kind <= INTERRUPT };
	n->irq_was_on = c->irq_on;
	if (o->kind == GO_ON && c->state == CPU_RUNS)
		reduce_saw(o->cpu, sched_standing(o->cpu));
	if (o->kind == INTERRUPT)
		reduce_saw_interrupt(o->cpu);
	effects.world = false;
	on = sched_do(o);
	search.steps++;
	if (depth == nr_path)
		arrived(n, outcome.oracle);
	return on;
}

/* A schedule: sched.search. */
static void drive(void)
{
	unsigned cpu;

	depth = 0;
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		if (!sched_do(&(struct event){ .kind = GO_ON, .cpu = cpu }))
			return;
	while (depth < nr_path || extend())
		if (!step()) {
			cover(1);
			return;
		}
}

/* To the next one: the last step of the path that has something else to be tried. */
static void turn(void)
{
	struct node *n;
	double paths;

	while (nr_path) {
		n = &path[nr_path - 1];
		if (n->taken + 1 == n->n && n->stage == STEPS) {
			n->stage = EVERYTHING;
			node_add_noticed(n);
		}
		if (n->taken + 1 < n->n) {
			n->taken++;
			return;
		}
		pool_used = (size_t)(n->options - pool);
		paths = n->paths;
		if (n->keyed) {
			seen_find(n->key)->on_path = false;
			seen_find(n->key)->paths = paths;
		}
		nr_path--;
		cover(paths);
	}
}

/* --- the whole --- */

static double done(void)
{
	double sum = 0, weight = 1;
	unsigned i;

	for (i = 0; i < nr_path && weight > 1e-9; i++) {
		sum += weight * path[i].taken / path[i].n;
		weight /= path[i].n;
	}
	return sum;
}

static void begin(void)
{
	seen_forget();
	nr_path = 0;
	pool_used = 0;
	search.states = 0;
	search.cycles = search.longest = search.nr_found = 0;
	search.interleavings = 0;
	search.bounded = false;
}

static void note_outcome(const char *oracle, u64 value)
{
	unsigned i;

	for (i = 0; i < search.nr_found; i++)
		if (search.found[i].value == value &&
		    (oracle && search.found[i].oracle ? !strcmp(oracle, search.found[i].oracle) : oracle == search.found[i].oracle))
			break;
	if (i == sizeof(search.found) / sizeof(search.found[0]))
		search_give_up("too many different outcomes");
	if (i == search.nr_found) {
		search.found[i].oracle = oracle;
		search.found[i].value = value;
		search.found[i].count = 0;
		search.nr_found++;
	}
	search.found[i].count++;
}

/* False: it is over. */
static bool went(void)
{
	bool whole = depth == nr_path && sched_all_done();

	if (reduce_void()) {
		search.restarts++;
		begin();
		return true;
	}
	if (search.outcomes && (whole || outcome.oracle))
		note_outcome(outcome.oracle, outcome.oracle || !search.outcome ? 0 : search.outcome());
	if (outcome.oracle && !search.outcomes) {
		search.oracle = outcome.oracle;
		nr_guide = depth;
		return false;
	}
	if (search.states > search.max_states)
		return false;
	turn();
	search.closed = !nr_path;
	return nr_path;
}

void exhaust(void)
{
	unsigned i;

	if (!pool && !(pool = malloc(POOL * sizeof(*pool))))
		search_give_up("no memory");
	reduce_begin();
	sched.mode = SCHED_EXHAUSTIVE;
	sched.search = wander;
	for (i = 0; i < LEARN && !search.unreduced; i++)
		search.run();
	reduce_void();
	begin();
	sched.search = drive;
	do {
		search.run();
		if (!(++search.schedules & 1023) && search.progress)
			search.progress(done());
	} while (went());
}

const struct guide *exhaust_guide(unsigned *nr)
{
	unsigned others = model.nr_cpus - 1, cpu;

	/* They all begin first; CPU 0 does by itself. */
	memmove(guide + others, guide, nr_guide * sizeof(*guide));
	for (cpu = 1; cpu <= others; cpu++)
		guide[cpu - 1] = (struct guide){ { .kind = GO_ON, .cpu = cpu }, true };
	*nr = nr_guide + others;
	return guide;
}
