/* SPDX-License-Identifier: BSD-2-Clause */
/* What can happen next, and which of it does. */
#ifndef SIM_CHOOSE_H
#define SIM_CHOOSE_H

#include "sim/model.h"

/* In a search also: nobody can go on; a state came again for ever; a freedom inside a primitive, `va` of so many. */
enum kind { GO_ON, INTERRUPT, SWITCH, DRAIN, FILL, COMPLETE, STUCK, ROUND, FREE };

struct event {
	enum kind kind;
	unsigned cpu, va; /* va: which address, or which broadcast */
};

/* Before a schedule of so many CPUs. */
void choose_begin(unsigned cpus);

/* Guided: what happens, in order; kept by the caller. `woke`: a CPU's wait ended, or it began; that may have happened by itself. */
struct guide {
	struct event what;
	bool woke;
};
void choose_guide(const struct guide *list, unsigned nr);

/* False: nothing can happen. That is when the current CPU can't go on, and no other one either. */
bool choose(bool can_go_on, struct event *chosen);

/* --- step.c --- */
bool may_run(unsigned cpu);

/*
 * For a search, from outside the fibers. GO_ON: option.cpu does its next primitive, up to the one after it; the others are as in a
 * run that decides for itself, STUCK says why nobody can go on. False: the schedule has ended.
 */
bool sched_do(const struct event *o);
const struct step_log *sched_standing(unsigned cpu); /* what it is about to do */
char *sched_stack(unsigned cpu, char **top); /* the part of its stack that is in use */

/* exhaust.c: model_choose() in a search. */
unsigned exhaust_choose(unsigned n);

#endif
