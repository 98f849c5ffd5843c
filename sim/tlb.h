/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TLB entries and walk caches, whatever the ISA: what is kept, found, dropped, and what the oracles say of a use. What an ISA adds
 * comes last. All act at once, without a step.
 */
#ifndef SIM_TLB_H
#define SIM_TLB_H

#include "sim/model.h"

struct model_access {
	u64 value;
	bool fault;
};

/* What the tables say of an address. */
struct mapping {
	u64 entry; /* the leaf; 0: nothing is mapped */
	u64 page; /* where its page begins */
	u8 shift;
	bool write, user; /* rights of all levels */
};

/* --- tlb.c --- */
bool tlb_covers(const struct tlb_entry *e, u64 va);
u64 tlb_page_at(const struct tlb_entry *e, u64 va); /* the frame, or the first of them, that the tables map there */
u32 tlb_frames_gen(const struct tlb_entry *e); /* of all that it translates to: another one if one is freed */
u64 tlb_translate(const struct tlb_entry *e, u64 va);
bool tlb_usable(const struct model_cpu *c, const struct tlb_entry *e, u64 va); /* under what is loaded */
bool tlb_reaches(const struct invalidation *what, const struct tlb_entry *e);
bool tlb_reaches_walk(const struct invalidation *what, const struct walk_entry *w);
struct tlb_entry *tlb_find(struct model_cpu *c, u64 va); /* usable under what is loaded; NULL: none */
struct tlb_entry *tlb_keep(struct model_cpu *c, const struct tlb_entry *e);
void tlb_drop(struct model_cpu *c, struct tlb_entry *e);
void tlb_check_single(struct model_cpu *c, const struct tlb_entry *first, u64 va); /* O-MULTI */
void tlb_invalidate(struct model_cpu *c, const struct invalidation *what);

/* An architectural use of e: the oracles, then the access itself. */
struct model_access tlb_use(struct model_cpu *c, const struct tlb_entry *e, u64 va, bool store, u64 value);

/* --- walk.c --- */
bool walk_usable(const struct model_cpu *c, const struct walk_entry *w, u64 va); /* under what is loaded */
void walk_keep(struct model_cpu *c, const struct walk_entry *w); /* if nothing is there under its key */
bool tlb_walk(struct model_cpu *c, u64 va, struct tlb_entry *out); /* false: nothing that could be cached. Sets A on its way */
struct mapping tlb_tables_say(u64 root, u64 va); /* read without effect */

/* --- ISA/format.c --- */

/* What an entry of a table says. */
struct decoded {
	enum { NOTHING, TABLE, LEAF } kind; /* NOTHING: no walk gets on here, and nothing is cached */
	bool write, user, global, dirty;
	u64 pa;
};

struct decoded isa_decode(const struct model_cpu *c, u64 entry, unsigned shift); /* c: whose walk it is; NULL: nobody's */

struct entry_read {
	u64 *slot, entry;
	u16 late_by; /* as in struct tlb_entry */
	bool old; /* not from memory: then gen is of the frame that it leads to, when it was */
	u32 gen;
};

/* A hint says that those beside the leaf agree: by how many bits more than `shift` it may be cached, else 0. *torn: they do not. */
unsigned isa_contiguous(const struct entry_read *leaf, unsigned shift, bool *torn);

/* A walker reads the table's entry for va, which maps 1 << shift bytes, and sets A in it, where it does that. */
struct entry_read isa_read_entry(struct model_cpu *c, u64 table, u64 va, unsigned shift);

/* --- ISA/access.c and others --- */
u16 isa_tag(const struct model_cpu *c); /* that is loaded */
u64 isa_root(const struct model_cpu *c, u64 va);
u32 isa_root_gen(const struct model_cpu *c, u64 va); /* of the root's frame when it was loaded */
bool isa_common(const struct model_cpu *c, u64 va); /* what is filled for va is for other CPUs too */
bool isa_conflict(const struct tlb_entry *a, const struct tlb_entry *b); /* may not both be there, besides other pages */
struct model_access tlb_access(u64 va, bool store, u64 value);
void tlb_spontaneous(unsigned cpu, u64 va); /* a walker of `cpu` fills va if it can */
void tlb_complete(unsigned index); /* model.outstanding[index] takes effect */

#endif
