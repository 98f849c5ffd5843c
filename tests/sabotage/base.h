/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sound hooks under a wrong one: a sabotage replaces one function of a stage and hands the others through to the product's
 * choice.
 */
#ifndef SABOTAGE_BASE_H
#define SABOTAGE_BASE_H

#include "machine.h"
#include "test.h"

/* Tracker mask. */
u64 base_switch_in(struct mm *mm);
void base_holders(const struct request *req, struct cpumask *out);
void base_left(struct mm *mm);

/* Transport ipi. */
void base_issue(struct flight *flight);
void base_sync(struct flight *flight);

/* Scope ceiling. */
void base_scope(struct request *req, u64 value);

#endif
