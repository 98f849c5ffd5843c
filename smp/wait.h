/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The only spin loops of the house. A wait serves this CPU's own requests while interrupts are off (two initiators that wait for
 * each other would never end otherwise), and ends the run through the watchdog when nothing comes.
 */
#ifndef SMP_WAIT_H
#define SMP_WAIT_H

#include "arch/atomic.h"
#include "types.h"

enum wait_for {
	WAIT_EQ, /* until *w == operand */
	WAIT_NE, /* until *w != operand */
	WAIT_GE, /* until *w >= operand */
	WAIT_CLEAR, /* until (*w & operand) == 0 */
};

static inline bool wait_satisfied(u64 value, enum wait_for cond, u64 operand)
{
	switch (cond) {
	case WAIT_EQ:
		return value == operand;
	case WAIT_NE:
		return value != operand;
	case WAIT_GE:
		return value >= operand;
	case WAIT_CLEAR:
		return !(value & operand);
	}
	return false;
}

/* The rest of wait_until(), for waits that don't pass at once. */
u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what);

/* Serves nothing: only for what nobody who is waited for waits for others with (lock_take_alone()). */
u64 wait_alone(const struct word *w, enum wait_for cond, u64 operand, const char *what);

/*
 * Returns the value that satisfied it; acquire order. Never halts: for acknowledgements and locks. `what` is named by the watchdog.
 */
static inline u64 wait_until(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	u64 value = load_acquire(w);

	return wait_satisfied(value, cond, operand) ? value : wait_slowly(w, cond, operand, what);
}

/*
 * The same for a CPU that has nothing else to do: halts (idle=halt) or spins (idle=spin). Whoever changes *w calls cpu_wake().
 * `forever`: a parked worker, the watchdog leaves it alone.
 */
u64 wait_idle(const struct word *w, enum wait_for cond, u64 operand, const char *what, bool forever);

/* Wakes a CPU that is halted in wait_idle(), after the word it waits for was changed. */
void cpu_wake(unsigned cpu);

/* Lets about `ticks` clock ticks pass, interrupts as they are; serves nothing. */
void wait_briefly(u64 ticks);

#endif
