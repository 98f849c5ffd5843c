/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

#include "sim/model.h"

void arena_init(void);
void arena_clear(void); /* all zero, nothing kept */
void arena_keep(void);
void arena_restore(void);

u64 arena_hash(void); /* of what differs from what was kept */

#endif
