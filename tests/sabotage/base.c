/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands hooks through to the product's choices. No state. */
#include "tests/sabotage/base.h"

extern const struct choice choice_mask, choice_transport_ipi, choice_ceiling, choice_slots;

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

struct tag base_enter(struct mm *mm, u64 gen)
{
	return choice_slots.tagging->enter(mm, gen);
}

bool base_settled(struct mm *mm, u64 gen)
{
	return choice_slots.tagging->settled(mm, gen);
}

struct due base_due(struct mm *mm, const struct request *req)
{
	return choice_slots.tagging->due(mm, req);
}

void base_flushed(struct mm *mm, u64 gen)
{
	choice_slots.tagging->flushed(mm, gen);
}

void base_release(struct mm *mm)
{
	choice_slots.tagging->release(mm);
}

void base_reset_cpu(void)
{
	choice_slots.tagging->reset_cpu();
}
