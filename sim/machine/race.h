/* SPDX-License-Identifier: BSD-2-Clause */
/* The race build (SIM_RACE=1, sim/race.c) is told of every operation on a shared word; other builds of none. */
#ifndef MACHINE_RACE_H
#define MACHINE_RACE_H

#include "types.h"

#ifdef SIM_RACE
void race_load(const u64 *at, u64 value, bool acquire);
void race_store(u64 *at, u64 value, bool release);
void race_update(u64 *at, u64 value, bool full); /* what stands there now */
void race_fence(void);
#else
#define race_load(at, value, acquire) ((void)0)
#define race_store(at, value, release) ((void)0)
#define race_update(at, value, full) ((void)0)
#define race_fence() ((void)0)
#endif

#endif
