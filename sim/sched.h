/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules: how decisions are made, one run, what came of it. */
#ifndef SIM_SCHED_H
#define SIM_SCHED_H

#include "sim/model.h"

#define MAX_DECISIONS 65536 /* a schedule with more can't be shrunk or replayed by them */

/* Guided: as a search found it. Exhaustive: a search decides (exhaust.c). */
enum sched_mode { SCHED_RANDOM, SCHED_PCT, SCHED_REPLAY, SCHED_GUIDED, SCHED_EXHAUSTIVE };

/* A decision that was not "go on": at the how-manieth choice, which option. */
struct decision {
	u32 at, option;
};

struct sched {
	enum sched_mode mode;
	u64 seed; /* of this schedule */
	unsigned depth; /* PCT: 2.. */
	struct decision list[MAX_DECISIONS]; /* made, or to be replayed */
	unsigned nr; /* of those */
	u64 limit; /* steps: a schedule that is longer does not end */
	u64 length; /* choices of a schedule, about: change points and fills fall into that many */
	bool trace; /* keep the last steps of each CPU */
	bool still; /* the clock stands, and set-up is over for all CPUs when a schedule begins */
	void (*search)(void); /* exhaustive */
};

struct outcome {
	const char *oracle; /* NULL: nothing was violated */
	char text[2000];
	u64 steps, choices;
	u64 signature; /* hash of the decisions: counts distinct interleavings */
};

extern struct sched sched;
extern struct outcome outcome;

/*
 * Runs `entry` on each of CPUs 0..n-1 as a fiber until all have ended or an oracle speaks. The model and memory are as the caller
 * left them.
 */
void sched_run(unsigned n, void (*entry)(unsigned cpu));

/* The schedule ends here, whatever others still do. From a CPU. */
void sched_end(void);

/* Nobody has anything left to do. */
bool sched_all_done(void);

/* this_cpu() of CPU n is base + n * stride; and: be CPU n (between schedules). */
void sched_cpus_at(void *base, size_t stride);
void sched_be(unsigned cpu);

/* machine glue: the current CPU takes interrupt `vector` (bit of model_cpu.pending). */
void sched_interrupt(unsigned vector);

/* An interrupt for CPU `cpu` becomes pending. */
void sched_send(unsigned cpu, unsigned vector);

/* While false (setting up a scenario) primitives act at once and nobody interferes. */
extern bool sched_on;

/* show.c: the last steps of each CPU, if they were traced. */
void show_steps(void);

#endif
