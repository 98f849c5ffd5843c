/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIM_GLUE_H
#define SIM_GLUE_H

#include <stdbool.h>

struct scenario;

/* NULL, or one line: what does not fit. `tests`: sabotage choices are allowed in spec. */
const char *glue_set_up(const struct scenario *s, const char *spec, unsigned cpus, bool x2apic, bool tests);

/* Everything as glue_set_up() left it; `fills` spontaneous fills may happen. */
void glue_reset(unsigned fills);

/* Invariants of a CPU that could be interrupted now. */
void glue_check_cpu(unsigned cpu);

#endif
