/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Oracles: which are on, what the model asks about frames and mms (answered in oracle.c, or by a model test), and what it is told
 * about page tables and flushes. What they mean is in docs/model.md.
 */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "sim/model.h"

/* --- oracle_list.c: all are on until they are switched off by name --- */
bool oracle_on(const char *name); /* #GP, #UD and MODEL, which are none, always are */
bool oracle_switch(const char *name, bool on); /* false: there is none of that name */
bool oracle_only(const char *name); /* all others off; false as above */
const char *oracle_names(void); /* for messages */

/* --- what the model asks --- */
u32 oracle_frame_gen(u64 pa); /* changes when the frame is freed */
bool oracle_frame_is_data(u64 pa); /* may be accessed through a translation */
bool oracle_frame_is_table(u64 pa); /* may be walked as a table */
bool oracle_fault(u64 va, bool store); /* the page-fault handler: repaired? */
void oracle_interruptible(void); /* the current CPU takes interrupts from here on */
void oracle_stored(u64 pa, u64 va); /* a store through a translation of va reached the page at pa */
void oracle_waits(char *text, size_t size); /* who waits for whom: a ring, if there is one, and a line for each CPU */

/*
 * --- what the model is told ---
 * A change took the translation of [va, va + (1 << shift)) away, or rights of it, in the tables under `root`; a global one: in all.
 */
void stale_set_change(u64 root, u64 va, unsigned shift, bool global);

/*
 * The current CPU begins to flush [start, end) of the mm with this root (kernel: of all mms; the tables are those under `root` all
 * the same): entries that give more than the tables say now are condemned. It has promised that it is done: those that are
 * still there are illegal from here on. What others have changed in between is their promise.
 */
void tlb_condemn(u64 root, u64 start, u64 end, bool kernel);
void tlb_promise(void);

/* --- stale_set.c, for the TLB --- */
void stale_set_loaded(struct model_cpu *c, u16 tag, u64 root, bool flushed); /* into the root register */
void stale_set_invalidated(struct model_cpu *c, const struct invalidation *what, u16 tag, u64 root); /* which are loaded now */
void stale_set_condemn(u64 root, u64 start, u64 end, bool kernel, u64 bit);
void stale_set_promise(u64 bit);
const struct stale_range *stale_set_find(const struct model_cpu *c, u16 tag, u64 root, u64 va);
bool stale_set_other_root(const struct model_cpu *c, u16 tag, u64 root);

#endif
