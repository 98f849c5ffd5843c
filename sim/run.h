/* SPDX-License-Identifier: BSD-2-Clause */
/* One run: which scenario, set up how; and its replay file. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/scenario.h"

/* --- run.c --- */
extern const struct scenario *scenario; /* chosen; that of a guest test is made for it */

void choose_scenario(const char *name); /* "test:NAME": a guest test */
void set_up(void); /* as args says; what does not fit ends the program */
void run_one(void); /* as sched says, from the state that set_up() left */

/* --- replay.c --- */
void shrink(const char *oracle); /* the schedule of the last run, to what is needed for this oracle to speak; then run and traced */
void write_replay(void);
int replay(void); /* exit status */

#endif
