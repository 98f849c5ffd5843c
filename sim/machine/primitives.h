/* SPDX-License-Identifier: BSD-2-Clause */
/* What <machine/...> calls in the simulator. Kept apart from sim/model.h, whose names are the model's own. */
#ifndef MACHINE_PRIMITIVES_H
#define MACHINE_PRIMITIVES_H

#include "types.h"

u64 sim_load(const u64 *at);
u64 sim_load_acquire(const u64 *at);
void sim_store(u64 *at, u64 value);
void sim_store_release(u64 *at, u64 value);
u64 sim_add(u64 *at, u64 n); /* new value */
u64 sim_or(u64 *at, u64 bits); /* old values from here on */
u64 sim_and(u64 *at, u64 bits);
u64 sim_xchg(u64 *at, u64 value);
bool sim_cas(u64 *at, u64 expected, u64 value);
bool sim_cas_relaxed(u64 *at, u64 expected, u64 value);
void sim_fence(void);
void sim_pause(const u64 *at, u64 seen);
u64 sim_clock(void);
unsigned sim_cpu(void);

#endif
