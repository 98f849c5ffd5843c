/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm64's memory order, TLBI and barriers, by rule number (docs/model.md). All act on the current CPU at once, without a step:
 * steps are insn.c's.
 */
#ifndef SIM_ARM64_H
#define SIM_ARM64_H

#include <machine/instructions.h>

#include "sim/tlb.h"

/* --- memory.c --- */
u64 memory_load(const u64 *at, bool acquire);
void memory_store(u64 *at, u64 value, bool release); /* buffered */
void memory_write(unsigned cpu, u64 *at, u64 value); /* performed */
u64 memory_update_begin(const u64 *at); /* a read-modify-write of full order: the value; memory_update_end() follows */
bool memory_compare(const u64 *at, u64 expected); /* ... one that takes place only if true */
bool memory_compare_relaxed(u64 *at, u64 expected, u64 value); /* a whole compare-and-swap, in no order with anything else */
void memory_update_end(u64 *at, u64 value);
void memory_dmb(void);
void memory_dsb(void);
void memory_synchronize(unsigned cpu, bool now); /* ISB and the like; now: nothing after it can have begun before */
u64 memory_horizon(void); /* before that nobody knows what memory was */

/* --- walks.c --- */
void walks_stored(unsigned cpu, const u64 *at, u64 value); /* about to be performed: walks may miss it, if it is to a table */
void walks_publish(unsigned cpu); /* what the CPU knows of is seen by all walks from here on */
u64 walks_read(const u64 *at, u16 *late_by); /* as a walker may see the word */

/* --- by_address.c --- */
bool by_address_read(struct model_cpu *c, u64 table, u64 va, unsigned shift, struct entry_read *read); /* true: not from memory */
void by_address_keep(struct model_cpu *c, u64 table, u64 va, unsigned shift, const struct entry_read *read);
void by_address_invalidate(struct model_cpu *c, const struct invalidation *what);

/* --- common.c: what c finds of what others have filled, or leaves alone --- */
void common_walks(struct model_cpu *c, u64 va);
struct tlb_entry *common_entry(struct model_cpu *c, u64 va);
void common_invalidate(const struct model_cpu *c, const struct invalidation *what);

/* --- held.c --- */
struct model_access held_use(struct model_cpu *c, const struct tlb_entry *e, u64 va, bool store, u64 value); /* as tlb_use() */
void held_perform(unsigned cpu);
void held_met(unsigned cpu, unsigned issuer, const struct invalidation *what); /* the CPU has carried out that TLBI */
void held_waited(unsigned issuer, bool again); /* a DSB after that; again: with a TLBI since the last one */

/* --- access.c --- */
u64 root_written(const struct model_cpu *c); /* TTBR0, as last written */
void root_write(u64 value);
void root_synchronize(struct model_cpu *c); /* what was written is what is in use */
void tlb_reached(struct model_cpu *c, const struct invalidation *what); /* an invalidation takes effect on it */

/* --- invalidate.c --- */
void tlbi_issue(enum tlbi_op op, u64 operand);
void tlbi_wait(unsigned scope); /* for what this CPU has issued: a DSB of that domain */

/* port.c: the kernel's handler of a fault. False: it gives the access up. */
bool isa_trap(u64 va, bool store, bool permission);

#endif
