/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scenarios: what a few CPUs do at the same time, in a few lines (tests/sim/). Set up once, by one CPU and without interference;
 * then run on each CPU, schedule after schedule, from the same state.
 */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include "arch/access.h"
#include "machine.h"
#include "mm/switch.h"
#include "registry.h"
#include "smp/lock.h"
#include "tests/litmus/litmus.h"

/* State of the scenario under way; put back for each schedule. */
struct scene {
	unsigned cpus;
	struct mm *a, *b, *more[4];
	struct pa frame;
	struct word flag[4];
	struct lock lock;
	struct litmus_run litmus; /* of a litmus shape */
};

extern struct scene scene;

struct scenario {
	const char *name, *help;
	unsigned min_cpus;
	void (*set_up)(void); /* as CPU 0; scene_be() for others */
	void (*run)(unsigned cpu); /* interrupts on, the CPU as set_up() left it */
	bool no_stale; /* nothing can be stale but legal in it */
	bool wrong; /* on purpose: only with --sabotage, and not listed */
};

#define SCENARIO(sym, ...) REGISTRY_ENTRY(scenarios, scenario, scenario_##sym) = { .name = #sym, __VA_ARGS__ }
REGISTRY_DECLARE(scenarios, scenario);

#define SCENE_VA VA(0x10000000)

void scene_be(unsigned cpu); /* set_up() goes on as that CPU */
void scene_watch(struct va va); /* walkers may fill this address at any time */
struct mm *scene_mm(struct va va, u64 pages, unsigned prot); /* with pages mapped, page p holds p + 1 in each word */

/* A value that must not be read: ends the schedule. */
void scene_expect(bool right, const char *what);

#endif
