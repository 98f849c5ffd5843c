/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model: CPUs, their TLBs, physical memory. Written from the manuals (rule numbers in docs/model.md); includes no header of mm/
 * or arch/, so that one misreading can't sit in both. Everything that a run changes is in `struct model`, which is reset for each
 * schedule. What is particular to an ISA is in a directory of its own with the same files, and <isa.h> is its part of this header:
 * registers, store buffers, the format of entries.
 *
 * A schedule is a sequence of decisions. Each is made in model_choose(), and only there: which CPU runs next, whether a store
 * leaves its buffer, whether a walker fills an entry nobody asked for, whether a pending interrupt is taken now. Same decisions,
 * same run.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
typedef unsigned long long llu; /* for printf */

#define MODEL_CPUS 1024
#define TLB_ENTRIES 64
#define WALK_ENTRIES 24
#define MODEL_VAS 16 /* addresses that walkers fill spontaneously */
#define OUTSTANDING 2048 /* broadcast invalidations under way, times their targets */
#define LOADED_TAGS 64
#define STALE_RANGES 16
#define LAST_STEPS 24

/* Physical memory: at a fixed host address, so that runs repeat exactly. */
#define ARENA ((u8 *)0x200000000000) /* in no sanitizer's shadow */
#define ARENA_BYTES (256ull << 20)
#define PAGE 4096

/* Rule 1. The table entry that it came from is kept for the oracles only. */
struct tlb_entry {
	u64 page; /* va >> shift */
	u8 shift;
	u8 page_shift; /* of the page in the tables: more in a piece of a large page (rule 3), less in contiguous ones (28) */
	bool global, write, user, dirty;
	u16 tag; /* PCID, ASID */
	bool speculative; /* nobody asked for it */
	bool common, foreign; /* CPUs share it; it is what another CPU has filled */
	bool torn; /* of contiguous pages whose entries did not agree */
	u64 hidden; /* from these CPUs (number mod 64): they have invalidated it */
	u16 late_by; /* CPU + 1 whose store to a table the walk has missed; 0: it read what memory says */
	u32 frame_gen; /* of the frame when it was filled */
	u64 pa; /* where the translated range begins */
	u64 root; /* that it was walked from */
	u64 *slot; /* the leaf entry it was read from, and what was read */
	u64 pte;
	u64 condemned; /* by flushes that have not returned yet: of CPUs (number mod 32), and 32 bits on of their batches */
	u64 illegal_since; /* step at which using it became wrong; 0: legal */
	unsigned promised_by; /* CPU whose flush made it wrong */
	const char *illegal_by; /* oracle that will say so */
};

/* A cached table pointer: va bits above shift + 9 lead to `table`, which holds entries of `shift` bits each; rights so far. */
struct walk_entry {
	u64 prefix;
	u8 shift;
	bool write, user;
	bool common, foreign; /* these, and the next ones, as in struct tlb_entry */
	u16 tag, late_by;
	u64 hidden;
	u32 table_gen; /* of the table's frame when it was cached */
	u64 table;
	u64 root;
};

/* What an invalidation reaches. Unset fields match anything. */
struct invalidation {
	bool has_va, has_tag, globals; /* globals: global entries too, of any tag */
	u16 tag;
	bool piece; /* of a large page cached in pieces only the one at va */
	bool spares_foreign; /* knob: what another CPU has filled stays */
	enum { WALKS_NONE, WALKS_PATH, WALKS_ALL } walks; /* walk caches: on the path of va, or all of the tags */
	u64 va, bytes; /* bytes: not the page that holds va, but [va, va + bytes) */
	u8 leaf_shift; /* only leaves of that size; 0: any */
};

/* struct isa_cpu, struct isa_model; PTE_ADDR, PTE_VOLATILE; HAS_*, FLAG_*, KNOB_*, and their names */
#include <isa.h>

/* Invalidations that some CPU has not carried out yet. */
struct outstanding {
	u16 issuer, target;
	u8 scope; /* the ISA's: what waits for it */
	struct invalidation what;
};

/* A root that entries under a tag may come from: it was loaded since that tag was last flushed as a whole. */
struct loaded_tag {
	u16 tag;
	u64 root;
};

/* Addresses at which this CPU may hold what the tables no longer say (stale_set.c). */
struct stale_range {
	u64 start, end;
	u8 shift; /* of its pages */
	bool global;
	u16 tag, by; /* by: CPU that changed the tables */
	u64 root;
	u64 condemned; /* as in struct tlb_entry */
	u64 promised; /* step at which a flush that covers it returned; 0: none yet */
};

/* What the CPU's gather is about to promise. */
struct closing {
	bool on, kernel;
	u64 root, start, end;
};

enum cpu_state { CPU_IDLE, CPU_RUNS, CPU_BLOCKED, CPU_DONE };

struct step_log {
	u64 number;
	const char *what;
	u64 a, b;
};

struct model_cpu {
	enum cpu_state state;
	const u64 *wait_word; /* CPU_BLOCKED: until it differs from wait_seen (NULL: until an interrupt) */
	u64 wait_seen;
	u64 wait_arrivals; /* ... or an interrupt has arrived since its last wait ended */
	u64 arrivals; /* interrupts that came so far */
	u64 irq_off_at; /* step at which irq_on became false: shown only */
	bool irq_on, in_handler;
	bool interrupt_first; /* when it is let go on: chosen by whoever lets it */
	u32 pending; /* vectors 0..31 of ours */
	struct isa_cpu isa;
	struct tlb_entry tlb[TLB_ENTRIES];
	unsigned nr_tlb;
	struct walk_entry walks[WALK_ENTRIES];
	unsigned nr_walks;
	struct loaded_tag tags[LOADED_TAGS];
	unsigned nr_tags;
	struct stale_range stale[STALE_RANGES];
	unsigned nr_stale;
	bool stale_lost; /* there were more */
	struct closing closing;
	u64 priority; /* PCT */
	struct step_log last[LAST_STEPS];
	unsigned nr_last;
};

/* What a run found on its way: a run without any stale but legal use proves nothing. */
struct coverage {
	u64 fills, speculative_fills, stale_legal, ipis, faults, drains;
};

struct model {
	unsigned nr_cpus, current;
	u64 step;
	unsigned fill_budget;
	u64 va[MODEL_VAS];
	unsigned nr_va;
	struct coverage seen;
	u32 features; /* HAS_* */
	u32 knobs; /* KNOB_*: how the hardware is broken */
	struct isa_model isa;
	unsigned nr_outstanding;
	bool later; /* what is condemned or promised at this moment is a batch's */
	struct model_cpu cpu[MODEL_CPUS];
	struct outstanding outstanding[OUTSTANDING]; /* behind the CPUs: none is left between schedules */
};

extern struct model model;

/* --- step.c, choose.c: decisions --- */

/* A primitive of the current CPU is about to happen: others may go first. */
void model_step(const char *what, u64 a, u64 b);

/* The current CPU can't go on until *word != seen (word NULL: never by a word) or an interrupt arrives for it. */
void model_block(const u64 *word, u64 seen);

/* One of 0..n-1, for freedoms inside a primitive; 0 is what happens when nobody interferes. */
unsigned model_choose(unsigned n);

/* Somebody draws the run: told what happens on a CPU, primitives too, by name. NULL: nobody. */
extern void (*model_watch)(unsigned cpu, const char *name, u64 a, u64 b);

static inline void model_saw(unsigned cpu, const char *name, u64 a, u64 b)
{
	if (model_watch)
		model_watch(cpu, name, a, b);
}

/* --- names.c: what CPUs have and what the kernel makes of it (flags), and how they are broken (knobs), by name --- */
u32 flag_find(const char *name); /* 0: there is none of that name */
u32 knob_find(const char *name);
const char *flag_names(u32 which, const char *before); /* each with `before` in front */
const char *knob_names(u32 which, const char *before);

/* --- ISA/memory.c: memory order --- */
unsigned memory_pending(unsigned cpu); /* stores of the CPU that have not reached memory yet */
u64 memory_own(unsigned cpu, const u64 *at); /* as the CPU itself sees it: its own buffered stores count */
void memory_drain(unsigned cpu); /* all of it */
void memory_drain_one(unsigned cpu);
void isa_exception(unsigned cpu); /* an interrupt or exception is taken; ends */
void isa_exception_return(unsigned cpu);

/* --- arena.c: physical memory is put back after each schedule; whoever may write to the page of pa says so first --- */
void arena_touch(u64 pa);

/* --- violations: end the schedule --- */
_Noreturn void violation(const char *oracle, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
