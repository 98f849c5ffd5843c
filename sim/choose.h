/* SPDX-License-Identifier: BSD-2-Clause */
/* What can happen next, and which of it does. */
#ifndef SIM_CHOOSE_H
#define SIM_CHOOSE_H

#include "sim/model.h"

enum kind { GO_ON, INTERRUPT, SWITCH, DRAIN, FILL, COMPLETE };

struct option {
	enum kind kind;
	unsigned cpu, va; /* va: which address, or which broadcast */
};

/* Before a schedule of so many CPUs. */
void choose_begin(unsigned cpus);

/* False: nothing can happen. That is when the current CPU can't go on, and no other one either. */
bool choose(bool can_go_on, struct option *chosen);

/* step.c: the CPU could run. */
bool may_run(unsigned cpu);

#endif
