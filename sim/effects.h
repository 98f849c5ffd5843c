/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a step did besides its primitive, for the search (reduce.c): plain C after it may tell the oracles something, and then it
 * is no longer the CPU's own affair. Who tells an oracle anything about tables, frames or promises says so here.
 */
#ifndef SIM_EFFECTS_H
#define SIM_EFFECTS_H

#include "sim/model.h"

struct effects {
	bool world; /* tables, frames, or what is promised of them */
};

extern struct effects effects;

/* A walker may read the page of pa: whatever is in it is never one CPU's own. */
void effects_walked(u64 pa);

#endif
