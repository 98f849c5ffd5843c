/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of the simulator; and how bad input ends it. */
#ifndef SIM_ARGUMENTS_H
#define SIM_ARGUMENTS_H

#include "sim/glue.h"
#include "types.h"

struct arguments {
	const char *tlb, *scenario, *replay, *write;
	u64 schedules, seed, skip, states;
	s64 preemptions; /* negative: no bound */
	bool exhaustive, unreduced, outcomes, events;
	unsigned cpus, depth, fills;
	struct features have;
	bool sabotage, quiet, list;
};

extern struct arguments args;

void arguments_parse(int argc, char **argv);

/* One line that says what is wrong and what is accepted; exit status 2. */
_Noreturn void usage(const char *what, const char *value, const char *accepted);

#endif
