/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What transports that broadcast have in common: a request becomes broadcasts under a tag, and this CPU owes a sync until it has
 * waited. State: tlb.sync_owed of this CPU.
 */
#ifndef MM_SHOOTDOWN_BROADCAST_H
#define MM_SHOOTDOWN_BROADCAST_H

#include "mm/shootdown/strategy.h"

/*
 * The request's range, or all, under `asid`; kernel ranges whatever it is. The PTE stores are visible everywhere: the increment of
 * tlb_gen came after them, with full order. Not allowed: the broadcast is done, and then the entry is filled again from the old
 * PTE.
 */
void broadcast_issue(const struct request *req, unsigned asid);

/* All entries of all tags but global ones. */
void broadcast_issue_all(void);

/* Waits for what this CPU has issued, if anything. On the CPU that issued: no other's sync waits for it. (sync hook) */
void broadcast_wait(struct flight *flight);

/* A CPU that goes on to another mm leaves nothing to be waited for behind: a batch's broadcasts. (sweep hook) */
void broadcast_sweep(void);

#endif
