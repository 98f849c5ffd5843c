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

/* Tagging slots. */
struct tag base_enter(struct mm *mm, u64 gen);
bool base_settled(struct mm *mm, u64 gen);
struct due base_due(struct mm *mm, const struct request *req);
void base_flushed(struct mm *mm, u64 gen);
void base_release(struct mm *mm);
void base_reset_cpu(void);

#endif
