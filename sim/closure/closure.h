/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exploration of an allocator's C to closure: every state that can be reached from the first one, each once. A state is what is in
 * shared memory and in the TLBs, and of each thread where in its operation it is: the stack it has there (thread.c). A step goes
 * from one access to a shared word, or to a TLB, to the next. mms are alike, so states that differ in their names only are one.
 * CPUs are not: the C visits them in the order of their numbers.
 */
#ifndef SIM_CLOSURE_CLOSURE_H
#define SIM_CLOSURE_CLOSURE_H

#include "machine.h"
#include "sim/closure/steps.h"

#define NR_THREADS 8
#define NR_MMS 6
#define MAX_WORDS 16 /* of a state */
#define NOBODY (-1)

/* What a thread can do while it does nothing else. */
struct op {
	const char *name; /* for the trace: "CPU 0 NAME A" */
	bool with_mm;
	bool (*may)(unsigned thread, int m); /* m: NOBODY without an mm */
	void (*run)(void); /* must not keep the mm's number over a step, only its address: this_op_mm() */
};

struct invariant {
	const char *name;
	bool (*holds)(void); /* if not, closure_note() says why */
	bool (*excused)(void); /* of a witness: with these limits it can't be seen; may be NULL */
};

/* Puts values into the words of a state, or takes them out: the same function does both. */
struct codec {
	u64 *word;
	unsigned at; /* bit */
	u64 too_large; /* not 0: some value was */
	bool taking;
};

static inline u64 coded(struct codec *k, unsigned bits, u64 value)
{
	unsigned at = k->at % 64;

	if (at + bits > 64) {
		k->at += 64 - at;
		at = 0;
	}
	if (k->taking)
		value = k->word[k->at / 64] >> at & ~(~0ull << bits);
	else
		k->word[k->at / 64] |= value << at;
	k->too_large |= value >> bits;
	k->at += bits;
	return value;
}

struct model {
	const char *name, *help;
	unsigned shared_words;
	void (*begin)(void); /* machine and world as they are at first; nr_threads and ops_of */
	void (*code_shared)(struct codec *k); /* before code_mm(): world forgets what refers to mms when they are taken out */
	void (*code_mm)(struct codec *k, unsigned m); /* at most 56 bits */
	void (*settle)(void); /* after each step: what hardware does at once; may be NULL */
	const struct lock *lock;
	bool (*under_lock)(const void *word); /* written under it only */
	bool (*beyond)(void); /* not explored further */
	const struct invariant *invariants; /* hold in every state; up to no name */
	const struct invariant *witnesses; /* do not hold in some state, or the run is vacuous; up to no name */
	bool (*name_word)(char *buf, size_t size, const struct word *w, u64 value); /* "active of CPU 1: 1:2" */
};

/* What there is. */
extern struct limits {
	unsigned cpus, mms, tags, generations;
	u64 states;
	bool flusher, idle, symmetry;
} limits;

extern const struct model *model;
extern unsigned nr_threads;
extern struct mm mms[NR_MMS];
extern bool tracing;

/* thread.c */
extern const struct op *ops_of[NR_THREADS]; /* each up to no name */
struct thread_now {
	bool busy; /* in an operation */
	int mm; /* that it is about, NOBODY */
	u32 image;
	const struct op *op;
};
extern struct thread_now threads[NR_THREADS];
extern unsigned this_thread;
extern int holder; /* of the lock: a thread, NOBODY */
struct mm *this_op_mm(void);
void thread_run(unsigned t); /* one step of its operation */
void thread_start(unsigned t, const struct op *op, int m); /* with the first step of it */
const struct op *thread_op(u32 image);
u64 nr_images(void);

/* A thing that must not be, inside a step. Does not return on a thread. */
void violation(const char *name, const char *fmt, ...) PRINTF(2, 3);
extern char violated[64], why[400];

/* search.c: 0 all is well, else the exit status. */
int search(void);

extern const struct model generation_by_interrupts, generation_by_broadcast, global_asids;

#endif
