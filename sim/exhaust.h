/* SPDX-License-Identifier: BSD-2-Clause */
/* All schedules of a scenario, up to stated bounds. */
#ifndef SIM_EXHAUST_H
#define SIM_EXHAUST_H

#include "sim/choose.h"

struct search {
	/* --- asked for --- */
	int preemptions; /* at most so many; negative: no bound */
	bool unreduced; /* every order of all steps */
	bool outcomes; /* go on after a violation, and collect them */
	u64 max_states;
	void (*run)(void); /* one schedule from the start */
	u64 (*state)(void); /* all that the rest of the schedule depends on, but what is counted down to a bound */
	u64 (*outcome)(void); /* of a schedule that has ended well; NULL: does not matter */
	void (*progress)(double done); /* now and then; may be NULL */
	/* --- found --- */
	const char *oracle; /* NULL: nothing; else outcome.text and the guide say what and how */
	bool closed; /* there is nothing else within the bounds */
	bool bounded; /* something was left out because of `preemptions` */
	u64 schedules; /* begun */
	u64 states, steps;
	unsigned longest; /* steps of a schedule */
	unsigned restarts; /* something was not local after all */
	unsigned cycles; /* a state came again on its own path, unfairly */
	double interleavings; /* paths through the states: what the schedules stand for; a cycle counts once */
	struct {
		const char *oracle;
		u64 value, count;
	} found[64]; /* outcomes, by oracle (NULL: ended well) and value */
	unsigned nr_found;
};

extern struct search search;

/* search.* as asked; sched.limit and the fills per schedule are the caller's. */
void exhaust(void);

#define MAX_PATH 65536

/* The way to what was found. */
const struct guide *exhaust_guide(unsigned *nr);

#endif
