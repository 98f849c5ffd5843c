/* SPDX-License-Identifier: BSD-2-Clause */
/* The hooks of tagging "slots", for tagging "global", which has slots for the mms that have no global ASID. */
#ifndef MM_ASID_SLOTS_H
#define MM_ASID_SLOTS_H

#include "mm/shootdown/strategy.h"

struct tag slots_enter(struct mm *mm, u64 gen);
bool slots_settled(struct mm *mm, u64 gen);
struct due slots_due(struct mm *mm, const struct request *req);
void slots_flushed(struct mm *mm, u64 gen);
void slots_release(struct mm *mm);
void slots_reset_cpu(void);

#endif
