/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads whose place in an operation can be kept and come back to: a fiber whose stack, from its stack pointer to its top, is
 * copied. What is below is zero whenever it goes on, so an image depends on nothing but the steps of the operation so far. Equal
 * images have one number. An mm's address is the same in an image whichever mm it is, so that mms can be renamed; an operation
 * is about one.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/closure/closure.h"
#include "sim/fiber.h"

#define DEPTH 8192 /* of a stack, at most */
#define IMAGES (1u << 20)
#define SLOTS (IMAGES * 2)

struct image {
	u32 hash, thread, words;
	const struct op *op;
	u64 word[];
};

struct mm mms[NR_MMS];
struct thread_now threads[NR_THREADS];
const struct op *ops_of[NR_THREADS];
unsigned nr_threads;
unsigned this_thread;
int holder = NOBODY;
struct cpu *host_cpu = &machine.cpu[0];

static struct fiber fibers[NR_THREADS], main_fiber;
static bool on_thread, fresh;
static struct image *images[IMAGES];
static u32 slots[SLOTS], nr = 1; /* 0 is none */

static void give_up(const char *what)
{
	fprintf(stderr, "tlblab closure: %s\n", what);
	exit(3);
}

u64 nr_images(void)
{
	return nr - 1;
}

const struct op *thread_op(u32 image)
{
	return images[image]->op;
}

struct mm *this_op_mm(void)
{
	return &mms[threads[this_thread].mm];
}

/* The mm whose address a word of a stack is, or NULL. */
static struct mm *as_mm(u64 word)
{
	return word >= (u64)mms && word < (u64)(mms + NR_MMS) ? mms + (word - (u64)mms) / sizeof(*mms) : NULL;
}

static u64 *top_of(unsigned t)
{
	return (u64 *)(fibers[t].stack + fibers[t].size);
}

static void clear_below(unsigned t)
{
	char *sp = fibers[t].sp;

	memset((char *)top_of(t) - DEPTH, 0, sp - ((char *)top_of(t) - DEPTH));
}

static void put_back(unsigned t)
{
	const struct image *image = images[threads[t].image];
	u64 *sp = top_of(t) - image->words, by = threads[t].mm == NOBODY ? 0 : (u64)threads[t].mm * sizeof(*mms);
	unsigned i;

	for (i = 0; i < image->words; i++)
		sp[i] = as_mm(image->word[i]) ? image->word[i] + by : image->word[i];
	fibers[t].sp = sp;
	clear_below(t);
}

static u32 number_of(const struct image *new)
{
	size_t bytes = sizeof(*new) + new->words * sizeof(u64);
	u32 at = new->hash % SLOTS;

	for (; slots[at]; at = (at + 1) % SLOTS)
		if (images[slots[at]]->hash == new->hash && images[slots[at]]->words == new->words &&
		    memcmp(images[slots[at]], new, bytes) == 0)
			return slots[at];
	if (nr == IMAGES)
		give_up("too many places in operations");
	images[nr] = malloc(bytes);
	memcpy(images[nr], new, bytes);
	return slots[at] = nr++;
}

static void keep(unsigned t)
{
	static union {
		struct image image;
		char room[sizeof(struct image) + DEPTH];
	} new;
	u64 *sp = fibers[t].sp, hash = 0xcbf29ce484222325ull;
	unsigned i;

	memset(&new.image, 0, sizeof(new.image));
	new.image.thread = t;
	new.image.op = threads[t].op;
	new.image.words = (u32)(top_of(t) - sp);
	if (new.image.words * sizeof(u64) > DEPTH / 2)
		give_up("an operation needs too much stack");
	for (i = 0; i < new.image.words; i++) {
		const struct mm *mm = as_mm(sp[i]);

		if (mm && mm - mms != threads[t].mm)
			give_up("an operation about one mm has the address of another one on its stack");
		new.image.word[i] = mm ? sp[i] - (u64)threads[t].mm * sizeof(*mms) : sp[i];
		hash = (hash ^ new.image.word[i]) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 29;
	}
	new.image.hash = (u32)(hash ^ hash >> 32) ^ t;
	threads[t].image = number_of(&new.image);
}

static void leave(void)
{
	fiber_switch(&fibers[this_thread], &main_fiber);
}

static void go_on(unsigned t)
{
	on_thread = true;
	fiber_switch(&main_fiber, &fibers[t]);
	on_thread = false;
	if (threads[t].busy && !*violated)
		keep(t);
	else
		threads[t].image = 0;
}

static void on_fiber(void)
{
	threads[this_thread].op->run();
	threads[this_thread].busy = false;
	threads[this_thread].mm = NOBODY;
	leave();
}

static void become(unsigned t)
{
	this_thread = t;
	host_cpu = &machine.cpu[t];
}

void thread_run(unsigned t)
{
	become(t);
	put_back(t);
	go_on(t);
}

void thread_start(unsigned t, const struct op *op, int m)
{
	become(t);
	threads[t] = (struct thread_now){ .busy = true, .mm = m, .op = op };
	fiber_start(&fibers[t], on_fiber);
	clear_below(t);
	fresh = true;
	go_on(t);
	fresh = false;
}

/* That an operation has begun is seen by nobody, so its first access belongs to its beginning. */
void closure_step(void)
{
	if (!on_thread)
		return;
	if (!fresh)
		leave();
	fresh = false;
}

void closure_access(const void *word, enum access access)
{
	bool alone = on_thread && holder == (int)this_thread, gives_back = word == &model->lock->held && access == ACCESS_CLEAR;

	if (on_thread && access != ACCESS_READ && model->under_lock(word) && !alone)
		violation("lock", "a word that is written under the lock only is written without it");
	if (alone && (gives_back || (access == ACCESS_READ && model->under_lock(word)))) {
		if (gives_back)
			holder = NOBODY;
		return;
	}
	closure_step();
}

void closure_taken(const void *word)
{
	if (on_thread && word == &model->lock->held)
		holder = (int)this_thread;
}

void violation(const char *name, const char *fmt, ...)
{
	va_list args;

	snprintf(violated, sizeof(violated), "%s", name);
	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	if (on_thread)
		leave();
}
