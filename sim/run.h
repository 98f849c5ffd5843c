/* SPDX-License-Identifier: BSD-2-Clause */
/* One run: which scenario, set up how; and its replay file. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/model.h"
#include "sim/scenario.h"

/* --- run.c --- */
extern const struct scenario *scenario; /* chosen; that of a guest test or a litmus shape is made for it */
extern bool run_is_litmus;

void choose_scenario(const char *name); /* "test:NAME": a guest test; "litmus:NAME": a litmus shape */
void set_up(void); /* as args says; what does not fit ends the program */
void run_one(void); /* as sched says, from the state that set_up() left */
u64 run_state(void); /* all that the rest of a run depends on */

/* --- events.c: between these, what happens is printed --- */
void events_begin(const char *scenario, const char *strategy);
void events_end(void);

/* --- main.c --- */
extern struct coverage total; /* of all runs */
void add_coverage(void); /* of the last run */
int report_found(const char *oracle); /* by the last run: shrinks, shows, writes it; exit status */

/* --- replay.c --- */
void shrink(const char *oracle); /* the schedule of the last run, to what is needed for this oracle to speak; then run and traced */
void run_traced(void); /* as run_one() */
void write_replay(void);
int replay(void); /* exit status */

#endif
