/* SPDX-License-Identifier: BSD-2-Clause */
/* What <machine/atomic.h> and the models' hardware call. Kept apart from closure.h, which needs machine.h. */
#ifndef SIM_CLOSURE_STEPS_H
#define SIM_CLOSURE_STEPS_H

#include "types.h"

/* Others may go first here. Everything up to the next one is one step. */
void closure_step(void);

/*
 * The same before an access to a shared word, unless it makes no difference to anybody: the holder of the lock reads a word that is
 * written under it only (which is looked after), or gives it back (it might as well have done so at once after its last step).
 */
enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_CLEAR };
void closure_access(const void *word, enum access access);
void closure_taken(const void *word); /* it was 0, and is not any more */

/* For the trace; returns `value`. */
u64 closure_did(const char *what, const void *word, u64 value);
void closure_note(const char *fmt, ...) PRINTF(1, 2);

#endif
