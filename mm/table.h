/* SPDX-License-Identifier: BSD-2-Clause */
/* Walks and grows the tables of one root. Takes nothing away: that is gather.h. */
#ifndef MM_TABLE_H
#define MM_TABLE_H

#include "arch/pte.h"

/* The slot at `level` on the path of va; NULL if the path ends above it (a table is missing, or a larger leaf is in the way). */
struct pte_slot *table_find(struct pa root, struct va va, unsigned level);

/* The same, making missing tables; NULL when out of frames or a larger leaf is in the way. */
struct pte_slot *table_grow(struct pa root, struct va va, unsigned level);

/* The slot that maps va now, at whatever level it is; NULL if there is none. */
struct pte_slot *table_leaf(struct pa root, struct va va, unsigned *level);

bool table_is_empty(struct pa table);

#endif
