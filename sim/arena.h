/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

void arena_init(void);
void arena_clear(void); /* all zero, nothing kept */
void arena_keep(void);
void arena_restore(void);

#endif
