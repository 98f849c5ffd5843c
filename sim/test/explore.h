/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of a few steps, searched for all schedules (sim/exhaust.h), so that the outcomes that there have to be are known. A
 * program's words are these, 0 at its beginning; an outcome is what it leaves in got[], or the violation that ends it.
 */
#ifndef SIM_TEST_EXPLORE_H
#define SIM_TEST_EXPLORE_H

#include "sim/exhaust.h"
#include "sim/test/test.h"

extern u64 x, y, z, w, got[3], own[3];

typedef void program_fn(unsigned cpu);
typedef void prepare_fn(void); /* what the world is at the beginning, beside the words */

prepare_fn nothing;

/* How many outcomes there are; more is in `search`. It has to close. */
unsigned explore(program_fn *program, prepare_fn *prepare, unsigned cpus, bool unreduced);

/* Of the last search: ended well with that in got[], four bits each; or, with an oracle's name, in its violation. */
bool reached(const char *oracle, u64 value);

/* As many outcomes as there should be, reduced or not; the last search was the reduced one. */
void expect_outcomes(program_fn *program, prepare_fn *prepare, unsigned cpus, unsigned outcomes);

#endif
