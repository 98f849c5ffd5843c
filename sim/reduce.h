/* SPDX-License-Identifier: BSD-2-Clause */
/* What a search need not try in every order. Why that is sound: reduce.c. */
#ifndef SIM_REDUCE_H
#define SIM_REDUCE_H

#include "sim/choose.h"

#define REDUCE_CPUS 16

/* What a primitive touches besides its CPU: the word it names; its buffer; TLBs; what walkers read; what oracles know; others. */
struct class {
	bool reads, writes, drains, tlb, walks, world, sends, anything;
	bool acquire; /* of reads */
};

struct class reduce_class(const char *what);
struct class reduce_about(unsigned cpu, bool interrupt); /* what it is about to do; or that it takes an interrupt first */

void reduce_begin(void);
void reduce_saw(unsigned cpu, const struct step_log *step); /* the CPU is about to do it */
void reduce_saw_interrupt(unsigned cpu);
bool reduce_void(void); /* something was taken for local that is not: all over again. What was seen is kept */

bool reduce_step_local(unsigned cpu); /* what it is about to do */
bool reduce_stayed_local(unsigned cpu, bool irq_was_on); /* after that */
bool reduce_drain_local(unsigned cpu); /* of its oldest store */

/* Of the buffer of `cpu`: it may end somebody's wait; walkers may see it; it matters to what `other` is about to do. */
bool reduce_drain_enables(unsigned cpu);
bool reduce_drain_walked(unsigned cpu);
bool reduce_drain_conflicts(unsigned cpu, unsigned other, bool interrupt);

bool reduce_walked(const u64 *at);
bool reduce_private(const u64 *at); /* only one CPU ever touches it, and no walker; or NULL */

/* --- ISA/state.c --- */
u64 isa_state(void); /* memory order, buffers and registers of all CPUs, as far as anything depends on them */
bool isa_load_drains(unsigned cpu, bool acquire); /* stores of its own leave the buffer before such a load */

#endif
