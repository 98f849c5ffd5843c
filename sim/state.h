/* SPDX-License-Identifier: BSD-2-Clause */
/* All that the rest of a schedule depends on, as a number: see state.c. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "sim/model.h"

u64 state_of_model(void); /* CPUs and their stacks, broadcasts */
u64 state_of_all(void); /* ... and the kernel, memory, the oracles */
void state_base(void); /* now, between schedules: what states are compared with */
void state_begin(void); /* of a schedule */
bool state_unhashed_changed(void); /* something that is taken for constant is not */

/* A CPU has got this from an access through a translation. */
void state_access(unsigned cpu, u64 value, bool fault);
extern bool state_accesses; /* whether results count as part of a state */
u64 state_outcome(void); /* all results, by CPU, in its order */

#endif
