/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands hooks through to the product's choices. No state. */
#include "tests/sabotage/base.h"

extern const struct choice choice_mask, choice_transport_ipi, choice_ceiling;

u64 base_switch_in(struct mm *mm)
{
	return choice_mask.tracker->switch_in(mm);
}

void base_holders(const struct request *req, struct cpumask *out)
{
	choice_mask.tracker->holders(req, out);
}

void base_left(struct mm *mm)
{
	choice_mask.tracker->left(mm);
}

void base_issue(struct flight *flight)
{
	choice_transport_ipi.transport->issue(flight);
}

void base_sync(struct flight *flight)
{
	choice_transport_ipi.transport->sync(flight);
}

void base_scope(struct request *req, u64 value)
{
	choice_ceiling.scope->choose(req, value);
}
