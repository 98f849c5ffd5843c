/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIM_LITMUS_H
#define SIM_LITMUS_H

#include "sim/scenario.h"

const struct scenario *litmus_scenario(const char *name); /* "litmus:NAME"; NULL: there is none of that name on this ISA */
bool litmus_report(void); /* of all runs, printed; false: not as the shape says */
void litmus_list(void);

#endif
