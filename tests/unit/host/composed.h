/* SPDX-License-Identifier: BSD-2-Clause */
/* Strategies composed of the product's own choices, where nothing runs them: what a machine can do is said here. */
#ifndef HOST_COMPOSED_H
#define HOST_COMPOSED_H

#include "mm/shootdown/strategy.h"

/* NULL, or why this machine has none. */
extern const char *no_broadcast, *no_hint, *no_ranges;
extern unsigned nr_tags;

bool takes_several(enum stage stage); /* choices of it add up */

/* Every stage is filled, once, by what its choice says; all needs are met; filters are in order. Of whatever was composed. */
void expect_whole(const struct strategy *s);

#endif
