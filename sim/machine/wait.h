/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MACHINE_WAIT_H
#define MACHINE_WAIT_H

#include <machine/primitives.h>

static inline void wait_pause(const struct word *w, u64 seen)
{
	sim_pause(&w->raw, seen);
}

#endif
