/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The visited states, in the order in which they were found: breadth first, so the way to a violation is a shortest one. States
 * are kept whole and compared whole. In a state mms are sorted by all that is known of each, so of states that differ in their
 * names one is kept; equal ones are exchangeable, and what is done with one need not be tried with the other.
 *
 * What the C keeps outside of the state would make this wrong. So now and then the first state is put back, and machine has to be
 * what it was then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/closure/closure.h"
#include "sim/closure/hardware.h"

#define IMAGE_BITS 20
#define LOOK_EVERY 64 /* states: is something kept outside? */
#define ALL_THREADS ((1u << NR_THREADS) - 1)

struct state {
	u64 word[MAX_WORDS]; /* one for each mm, model->shared_words, images */
};

static u64 *states; /* nr times `words` */
static u32 *parents, *slots;
static u64 nr, nr_slots = 1 << 16 /* a power of two */, steps;
static unsigned words, depth;
static u64 orbits; /* states without symmetry */
static u64 missed[16]; /* states in which a witness does not hold */

/* Of zeros; takes memory where it is touched only. */
static void *room(u64 n, u64 bytes)
{
	void *p = calloc(n, bytes);

	if (!p) {
		perror("tlblab closure: memory for states");
		exit(3);
	}
	return p;
}

/* --- a state as words, and as memory --- */

static void code_threads_of(struct codec *k, unsigned m)
{
	unsigned t;

	for (t = 0; t < nr_threads; t++)
		if (coded(k, 1, threads[t].mm == (int)m))
			threads[t].mm = (int)m;
}

static void code_images(struct codec *k)
{
	unsigned t;

	holder = (int)coded(k, 4, (u64)(holder + 1)) - 1;
	for (t = 0; t < nr_threads; t++) {
		threads[t].image = (u32)coded(k, IMAGE_BITS, threads[t].image);
		threads[t].busy = threads[t].image;
		if (k->taking) {
			threads[t].mm = NOBODY;
			threads[t].op = threads[t].image ? thread_op(threads[t].image) : NULL;
		}
	}
}

static void code(struct state *s, bool taking)
{
	struct codec k = { .word = s->word + limits.mms, .taking = taking };
	u64 too_large;
	unsigned m;

	code_images(&k);
	model->code_shared(&k);
	too_large = k.too_large | (k.at > model->shared_words * 64);
	for (m = 0; m < limits.mms; m++) {
		k = (struct codec){ .word = s->word + m, .taking = taking };
		code_threads_of(&k, m);
		model->code_mm(&k, m);
		too_large |= k.too_large | (k.at > 64);
	}
	if (too_large)
		violation("TypeInv", "a value is larger than any that it should have");
}

static void put_in_place(const struct state *s)
{
	struct state copy = *s;

	code(&copy, true);
}

static void take(struct state *s)
{
	memset(s, 0, sizeof(*s));
	code(s, false);
}

static void sort(struct state *s)
{
	unsigned i, j;

	for (i = 1; i < limits.mms && limits.symmetry; i++)
		for (j = i; j && s->word[j - 1] > s->word[j]; j--) {
			u64 word = s->word[j];

			s->word[j] = s->word[j - 1];
			s->word[j - 1] = word;
		}
}

/* How many states are this one but for the names of mms: all orders of them, those of equal ones once. */
static u64 orbit(const struct state *s)
{
	u64 n = 1;
	unsigned i, same = 1;

	for (i = 1; i < limits.mms; i++) {
		same = s->word[i] == s->word[i - 1] ? same + 1 : 1;
		n = n * (i + 1) / same;
	}
	return n;
}

/* --- nothing is kept outside --- */

static struct {
	void *at;
	size_t bytes;
	void *first;
} parts[2 * NR_THREADS + 3];
static unsigned nr_parts;

static void part(void *at, size_t bytes)
{
	parts[nr_parts].at = at;
	parts[nr_parts].bytes = bytes;
	parts[nr_parts].first = malloc(bytes);
	memcpy(parts[nr_parts++].first, at, bytes);
}

static void remember_first(void)
{
	unsigned t;

	for (t = 0; t < NR_THREADS; t++) {
		part(&machine.cpu[t].tlb, sizeof(machine.cpu[t].tlb));
		part(&machine.cpu[t].flight, sizeof(machine.cpu[t].flight));
	}
	part(&machine.generations, sizeof(machine.generations));
	part(&machine.asids, sizeof(machine.asids));
	part(mms, sizeof(mms));
}

static void look_outside(const struct state *first)
{
	unsigned i;
	size_t at;

	put_in_place(first);
	for (i = 0; i < nr_parts; i++)
		for (at = 0; at < parts[i].bytes && memcmp(parts[i].at, parts[i].first, parts[i].bytes); at++)
			if (((u8 *)parts[i].at)[at] != ((u8 *)parts[i].first)[at]) {
				fprintf(stderr, "tlblab closure: %s: byte %zu of part %u of the machine (%zu bytes) has changed, "
					"and is not in the state: code_shared() or code_mm() leaves something out\n",
					model->name, at, i, parts[i].bytes);
				exit(3);
			}
}

/* --- steps --- */

static void after_step(void)
{
	steps++;
	if (!*violated && model->settle)
		model->settle();
}

/*
 * Calls `then` after each step that can be made in `s`, with the state that it leads to in memory. Nothing else is in memory
 * meanwhile. True: `then` wants no more.
 */
static bool for_each_step(const struct state *s, bool (*then)(const struct state *from, unsigned t, const struct op *op, int m))
{
	unsigned t;
	int m;

	for (t = 0; t < nr_threads; t++) {
		const struct op *op = ops_of[t];

		put_in_place(s);
		if (threads[t].busy) {
			op = threads[t].op;
			m = threads[t].mm;
			thread_run(t);
			after_step();
			if (then(s, t, op, m))
				return true;
			continue;
		}
		for (; op->name; op++)
			for (m = op->with_mm ? 0 : NOBODY; m < (op->with_mm ? (int)limits.mms : 0); m++) {
				if (m > 0 && limits.symmetry && s->word[m] == s->word[m - 1])
					continue;
				put_in_place(s);
				if (!op->may(t, m))
					continue;
				thread_start(t, op, m);
				after_step();
				if (then(s, t, op, m))
					return true;
			}
	}
	return false;
}

/* --- the visited ones --- */

static u64 hash_of(const u64 *word)
{
	u64 hash = 0;
	unsigned i;

	for (i = 0; i < words; i++) {
		hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 32;
	}
	return hash;
}

/* Where it is in slots[], or should be. */
static u64 find_slot(const u64 *word)
{
	u64 at = hash_of(word) & (nr_slots - 1);

	while (slots[at] && memcmp(states + (u64)slots[at] * words, word, words * sizeof(u64)) != 0)
		at = (at + 1) & (nr_slots - 1);
	return at;
}

static void more_slots(void)
{
	u64 n;

	free(slots);
	nr_slots *= 2;
	slots = room(nr_slots, sizeof(u32));
	for (n = 1; n < nr; n++)
		slots[find_slot(states + n * words)] = (u32)n;
}

static void load_state(u64 n, struct state *s)
{
	memset(s, 0, sizeof(*s));
	memcpy(s->word, states + n * words, words * sizeof(u64));
}

static const struct invariant *broken_one(void)
{
	const struct invariant *i;

	for (i = model->invariants; i->name; i++)
		if (!i->holds())
			return i;
	return NULL;
}

static u64 parent_now;
static bool in_step; /* where the violation is; else in the state that was found last */

static void look_at_it(void)
{
	const struct invariant *i = broken_one();

	if (i) {
		in_step = false;
		violation(i->name, "does not hold");
	}
	for (i = model->witnesses; i->name; i++)
		missed[i - model->witnesses] += !i->holds();
}

static bool moved; /* the state has a step that leads elsewhere */

static bool visit(const struct state *from, unsigned t, const struct op *op, int m)
{
	struct state s;
	u64 at;

	(void)from, (void)t, (void)op, (void)m;
	in_step = true;
	if (!*violated)
		take(&s);
	if (*violated)
		return true;
	sort(&s);
	at = find_slot(s.word);
	if (slots[at]) {
		moved = moved || slots[at] != parent_now;
		return false;
	}
	moved = true;
	if (nr > limits.states) {
		fprintf(stderr, "tlblab closure: more than %llu states (--states)\n", (unsigned long long)limits.states);
		exit(3);
	}
	memcpy(states + nr * words, s.word, words * sizeof(u64));
	parents[nr] = (u32)parent_now;
	slots[at] = (u32)nr++;
	if (nr * 2 > nr_slots)
		more_slots();
	orbits += limits.symmetry ? orbit(&s) : 1;
	look_at_it();
	return *violated;
}

/* --- the way to a state, with one name for each mm from its beginning to its end --- */

static struct state wanted;
static bool wants_violation;
static char violated_there[sizeof(violated)];

static bool is_wanted(void)
{
	struct state s;

	if (!*violated)
		take(&s);
	if (wants_violation || *violated)
		return wants_violation && strcmp(violated, violated_there) == 0;
	sort(&s);
	return memcmp(s.word, wanted.word, words * sizeof(u64)) == 0;
}

static unsigned line;

/* What was done, by doing it once more. */
static void print_step(const struct state *from, unsigned t, const struct op *op, int m)
{
	char name[32];
	bool starts;

	put_in_place(from);
	starts = !threads[t].busy;
	name_thread(name, sizeof(name), t);
	printf("%4u  %-14s %s%s", ++line, name, starts ? "" : "(", op->name);
	if (m != NOBODY)
		printf(" %c", 'A' + m);
	printf("%s", starts ? ":" : ")");
	*violated = '\0';
	tracing = true;
	if (starts)
		thread_start(t, op, m);
	else
		thread_run(t);
	after_step();
	tracing = false;
	printf("%s\n", threads[t].busy ? "" : "; done");
}

static struct state next;

static bool follow(const struct state *from, unsigned t, const struct op *op, int m)
{
	if (!is_wanted()) {
		*violated = '\0';
		return false;
	}
	if (!*violated)
		take(&next); /* before it is made again for the trace, whose own calls leave traces on the stack */
	print_step(from, t, op, m);
	return true;
}

static void print_way(u64 to, bool violated_after)
{
	static u32 way[1 << 16];
	u64 at = to;
	unsigned n = 0;
	struct state s;

	for (; at != 1; at = parents[at])
		way[n++] = (u32)at;
	load_state(1, &s);
	while (n) {
		load_state(way[--n], &wanted);
		for_each_step(&s, follow);
		s = next;
	}
	if (violated_after && strcmp(violated_there, "deadlock") != 0) {
		wants_violation = true;
		for_each_step(&s, follow);
		printf("      %s: %s\n", violated, why);
		return;
	}
	put_in_place(&s);
	tracing = true;
	broken_one();
	tracing = false;
	printf("\n");
}

static int report_violation(void)
{
	char text[sizeof(why)];

	strcpy(text, why);
	strcpy(violated_there, violated);
	*violated = '\0';
	printf("%s: %s: %s. Found after %llu states; a shortest way there:\n", model->name, violated_there, text,
	       (unsigned long long)nr - 1);
	print_way(in_step ? parent_now : nr - 1, in_step);
	return 1;
}

/* --- all of it --- */

static void explore(void)
{
	struct state s, first;
	u64 n, level = 2;

	load_state(1, &first);
	for (n = 1; n < nr && !*violated; n++) {
		if (n == level) {
			depth++;
			level = nr;
		}
		load_state(n, &s);
		put_in_place(&s);
		if (model->beyond())
			continue;
		parent_now = n;
		moved = false;
		if (for_each_step(&s, visit))
			break;
		if (!moved)
			violation("deadlock", "nobody can go on");
		if (n % LOOK_EVERY == 0)
			look_outside(&first);
	}
}

static int report(double seconds)
{
	const struct invariant *i;
	int status = 0;

	printf("%s: %u CPUs, %u mms, %u ASIDs, %u generations%s%s: closed after %llu states (%llu with mms by name), %llu steps, "
	       "depth %u, %llu places in operations, %.0f s\n  hold:",
	       model->name, limits.cpus, limits.mms, limits.tags, limits.generations, limits.flusher ? "" : ", no flusher",
	       limits.idle ? ", with KMM" : "", (unsigned long long)nr - 1, (unsigned long long)orbits, (unsigned long long)steps,
	       depth, (unsigned long long)nr_images(), seconds);
	for (i = model->invariants; i->name; i++)
		printf(" %s", i->name);
	printf("\n  seen:");
	for (i = model->witnesses; i->name; i++) {
		u64 n = missed[i - model->witnesses];

		printf("%s %s in %llu states", i == model->witnesses ? "" : ",", i->name, (unsigned long long)n);
		status |= !n && !(i->excused && i->excused());
	}
	printf("\n%s", status ? "vacuous: something that should be seen was not\n" : "");
	return status;
}

int search(void)
{
	struct timespec begin, end;

	words = limits.mms + model->shared_words;
	states = room((limits.states + 2) * words, sizeof(u64));
	parents = room(limits.states + 2, sizeof(u32));
	slots = room(nr_slots, sizeof(u32));
	nr = parent_now = 1;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	model->begin();
	remember_first();
	visit(NULL, 0, NULL, NOBODY);
	if (!*violated)
		explore();
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (*violated)
		return report_violation();
	return report((end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9);
}
