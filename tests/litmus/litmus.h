/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Litmus shapes: what a few CPUs may see of each other's stores to page tables, invalidations and messages. A shape is one const
 * struct: its threads as short lists of operations, how the tables stand when it begins, and outcomes that are worth a name, each
 * allowed or forbidden on an ISA by a rule of docs/model.md. The simulator runs them (sim/litmus.c), and the kernel on whatever
 * machine it is booted on (tests/litmus/guest.c). Names are those of Simner et al., Relaxed virtual memory in Armv8-A, ESOP 2022,
 * where the shape is theirs: T a translation, R a read, W a write, inv a write of an invalid entry, .inv initially invalid, 1 with
 * an invalidation; then what stands between the accesses of each thread.
 *
 * One page x is under test. Its leaf is in the first table; a second table, with a leaf for x of its own, can be hung in instead.
 * What a load through x returns says by which leaf it went, as each maps a frame with other contents.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include "arch/litmus.h"
#include "registry.h"

struct mm;

#define LITMUS_THREADS 3
#define LITMUS_OPS 10
#define LITMUS_REGS 2 /* of a thread */
#define LITMUS_VA VA(0x10000000)

/* x's entry in the first table, in the other one; which of the two is hung in. */
enum litmus_slot { X_LEAF, X_OTHER_LEAF, X_TABLE, NR_LITMUS_SLOTS };

/* What can be stored there: leaves that map a frame with 1, 2 or 3 in it; tables. Never in the other kind of slot. */
enum litmus_entry { NONE, OLD, NEW, THIRD, FIRST_TABLE, OTHER_TABLE, NR_LITMUS_ENTRIES };

enum litmus_word { Y, Z, NR_LITMUS_WORDS }; /* messages; 0 when it begins */

#define FAULTS 0 /* what an access that faults leaves in a register */

enum litmus_kind {
	OP_END,
	OP_ENTRY, /* store entry b in slot a */
	OP_WRITE, /* store b in word a */
	OP_READ, /* word a to register b */
	OP_ACCESS, /* load through x to register a */
	OP_FENCE, /* DMB ISH, a locked operation */
	OP_INSN,
	OP_RELOAD, /* drop the loaded tag's entries, as on entering an mm: tlb_flush_tag() */
	OP_CALL, /* interrupt thread a's CPU, which drops what it holds for x, and wait until it has */
};

struct litmus_op {
	u8 kind, a, b;
};

/* Register `reg` of a thread is `value`. `there`: not the end of a list. */
struct litmus_value {
	bool there;
	u8 thread, reg, value;
};

/* Undecided: sources differ, or say nothing; counted, and neither asked for nor forbidden. */
enum litmus_verdict { NOT_ASKED, ALLOWED, FORBIDDEN, UNDECIDED };

struct litmus_outcome {
	const char *name; /* NULL: not there */
	struct litmus_value is; /* ... and all premises */
	struct {
		enum litmus_verdict verdict; /* NOT_ASKED: the shape is not for that ISA */
		const char *why; /* rules of docs/model.md by number */
	} by[NR_LITMUS_ISAS];
	const char *not_modelled; /* allowed, but the simulator can't show it: why */
};

struct litmus {
	const char *name, *help;
	struct litmus_op thread[LITMUS_THREADS][LITMUS_OPS]; /* those that are there come first, each ends with OP_END */
	enum litmus_entry leaf, other_leaf, table; /* when it begins */
	u8 holds; /* set of threads that hold a translation of x when it begins */
	/*
	 * It changes where a live entry leads without breaking it first: arm64 then allows more than an old or a new value, even a
	 * TLB conflict abort, which ends the run (rule 27).
	 */
	bool unbroken;
	struct litmus_value premise[3];
	struct litmus_outcome outcome[2];
};

#define LITMUS(sym, ...) REGISTRY_ENTRY(litmuses, litmus, litmus_##sym) = { __VA_ARGS__ }
REGISTRY_DECLARE(litmuses, litmus);

/* --- shape.c: what a shape says. No state --- */
unsigned litmus_threads(const struct litmus *shape);
bool litmus_is_here(const struct litmus *shape); /* has it a verdict on this ISA? */
bool litmus_premise(const struct litmus *shape, const u64 (*reg)[LITMUS_REGS]);
bool litmus_outcome(const struct litmus *shape, const struct litmus_outcome *o, const u64 (*reg)[LITMUS_REGS]);
unsigned litmus_registers(const struct litmus *shape, struct litmus_value *out, unsigned max); /* all that it writes */
const char *litmus_verdict_name(enum litmus_verdict verdict);
void litmus_thread_text(const struct litmus *shape, unsigned thread, char *buf, size_t size);
void litmus_value_text(const struct litmus *shape, const struct litmus_value *v, char *buf, size_t size); /* P1:y=1, P1:x=old */

/* --- run.c: one run of a shape --- */
struct litmus_run {
	const struct litmus *shape;
	struct mm *mm;
	struct pte_slot *slot[NR_LITMUS_SLOTS];
	struct pte entry[NR_LITMUS_ENTRIES];
	struct pa other_table;
	struct {
		struct word word __attribute__((aligned(CACHE_LINE)));
	} message[NR_LITMUS_WORDS];
	u64 reg[LITMUS_THREADS][LITMUS_REGS];
};

bool litmus_create(struct litmus_run *run, const struct litmus *shape); /* false: out of frames */
void litmus_destroy(struct litmus_run *run); /* nobody runs the mm any more */

/*
 * Back to where the shape begins, the mm loaded on every CPU of it: one takes x away, each drops what it holds, one makes entries
 * and words as they are then, each loads through x if it is to hold it. All meet in between.
 */
void litmus_break(struct litmus_run *run);
void litmus_drop(void);
void litmus_rewind(struct litmus_run *run);
void litmus_hold(const struct litmus_run *run, unsigned thread);

void litmus_thread(struct litmus_run *run, unsigned thread); /* thread n is CPU n */

#endif
