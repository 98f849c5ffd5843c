/* SPDX-License-Identifier: BSD-2-Clause */
/* In which order CPUs get their numbers: a benchmark of N CPUs runs on numbers 0 to N - 1. Pure. */
#ifndef BOOT_PLACEMENT_H
#define BOOT_PLACEMENT_H

#include "boot_info.h"

/* As in option placement= */
enum placement { PLACE_LISTED, PLACE_SMT, PLACE_COMPLEX, PLACE_PACKAGE, PLACE_NODE, PLACE_SPREAD };

struct placement_scratch {
	u16 taken[LEVEL_THREAD][MAX_CPUS + 1]; /* CPUs ordered so far, by level and number there; the last: not told */
	bool used[MAX_CPUS];
};

/*
 * Packages, complexes and cores, which tables and CPUs number as they like, numbered from 0 in the order of the list. NOT_TOLD
 * stays; nodes and threads are numbered already.
 */
void placement_number(const struct place *told, unsigned nr, struct place *place);

/*
 * order[0] := 0, then the positions in place[] (numbered) one after the other: as few cores, complexes, packages or nodes as
 * possible, and inside of one of these as far apart as possible; for PLACE_SPREAD far apart everywhere. The first listed wins.
 */
void placement_order(enum placement how, const struct place *place, unsigned nr, u16 *order, struct placement_scratch *scratch);

#endif
