/* SPDX-License-Identifier: BSD-2-Clause */
/* The hooks that do nothing, for choices that have no use for them: hooks are never NULL. */
#ifndef MM_SHOOTDOWN_STAGES_H
#define MM_SHOOTDOWN_STAGES_H

#include "machine.h"

void tagging_nothing(void); /* reset */
void tagging_catches_up(struct mm *mm); /* not_loaded: should this CPU load it again, the generation tells */

void tracker_keep(struct mm *mm); /* switch_out, left, renewed: nothing */
struct tag tracker_same_tag(struct mm *mm, struct tag tag); /* entered */
struct pte tracker_fill_as_is(struct mm *mm, struct va va, struct pte pte);

enum take transport_takes_all(const struct request *req);
void transport_nothing(struct flight *flight); /* hold, issue, sync, after */
void transport_no_sweep(void);

bool completion_nothing_held(void); /* drain */

#endif
