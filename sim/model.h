/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model: CPUs, their store buffers, their TLBs, physical memory. Written from the manuals (rule numbers in docs/model.md); includes no
 * header of mm/ or arch/, so that one misreading can't sit in both. Everything that a run changes is in `struct model`, which is reset for
 * each schedule.
 *
 * A schedule is a sequence of decisions. Each is made in model_choose(), and only there: which CPU runs next, whether a store leaves its
 * buffer, whether a walker fills an entry nobody asked for, whether a pending interrupt is taken now. Same decisions, same run.
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

#define MODEL_CPUS 1024
#define STORE_BUFFER 8
#define TLB_ENTRIES 64
#define WALK_ENTRIES 24
#define MODEL_VAS 16 /* addresses that walkers fill spontaneously */
#define LAST_STEPS 24

/* Physical memory: at a fixed host address, so that runs repeat exactly. */
#define ARENA ((u8 *)0x100000000000)
#define ARENA_BYTES (64ull << 20)
#define PAGE 4096

/* x86-64 entries (SDM vol. 3A 4.5). */
#define PTE_P (1ull << 0)
#define PTE_W (1ull << 1)
#define PTE_U (1ull << 2)
#define PTE_A (1ull << 5)
#define PTE_D (1ull << 6)
#define PTE_PS (1ull << 7)
#define PTE_G (1ull << 8)
#define PTE_ADDR 0x000ffffffffff000ull

struct store {
	u64 *at;
	u64 value;
};

struct tlb_entry {
	u64 page; /* va >> shift */
	u8 shift;
	bool global, write, user, dirty;
	u16 pcid;
	u64 pa; /* of the page */
	u64 root; /* that it was walked from */
	u64 *slot; /* the leaf entry it was read from, and what was read */
	u64 pte;
	u32 frame_gen; /* of the frame when it was filled */
	u64 condemned; /* by flushes of CPUs (number mod 64) that have not returned yet */
	u64 illegal_since; /* step at which using it became wrong; 0: legal */
	bool speculative; /* nobody asked for it */
};

/* A cached table pointer: va bits above `shift` lead to `table`, which holds entries of `shift` bits each. */
struct walk_entry {
	u64 prefix;
	u8 shift; /* of the entries in `table` */
	u16 pcid;
	u64 table;
	u64 root;
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
	u64 wait_arrivals; /* ... or an interrupt arrives */
	u64 arrivals; /* interrupts that came so far */
	bool irq_on, in_handler;
	u32 pending; /* vectors 0..31 of ours */
	struct store stores[STORE_BUFFER];
	unsigned nr_stores;
	u64 cr3, cr4, cr2;
	struct tlb_entry tlb[TLB_ENTRIES];
	unsigned nr_tlb;
	struct walk_entry walks[WALK_ENTRIES];
	unsigned nr_walks;
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
	struct model_cpu cpu[MODEL_CPUS];
};

extern struct model model;

/* --- step.c: decisions --- */

/* A primitive of the current CPU is about to happen: others may go first. */
void model_step(const char *what, u64 a, u64 b);

/* The current CPU can't go on until *word != seen (word NULL: never by a word) or an interrupt arrives for it. */
void model_block(const u64 *word, u64 seen);

/* One of 0..n-1; 0 is what happens when nobody interferes. */
unsigned model_choose(unsigned n);

/* --- memory.c: TSO --- */
u64 memory_load(const u64 *at); /* own buffered stores are seen */
void memory_store(u64 *at, u64 value); /* buffered */
void memory_drain(unsigned cpu); /* all of it */
void memory_drain_one(unsigned cpu);

/* --- arena.c: physical memory is put back after each schedule; whoever may write to the page of pa says so first --- */
void arena_touch(u64 pa);

/* --- x86/tlb.c --- */
struct model_access {
	u64 value;
	bool fault;
};
struct model_access tlb_access(u64 va, bool store, u64 value);
void tlb_spontaneous(unsigned cpu, u64 va); /* a walker of `cpu` fills va if it can */
void tlb_invlpg(u64 va);
void tlb_write_cr3(u64 value);
void tlb_write_cr4(u64 value);
void tlb_invpcid(unsigned type, u16 pcid, u64 va);

/* --- violations: end the schedule --- */
_Noreturn void violation(const char *oracle, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- oracle.c: what the model asks about frames and mms --- */
u32 oracle_frame_gen(u64 pa);
bool oracle_frame_is_data(u64 pa); /* may be accessed through a translation */
bool oracle_frame_is_table(u64 pa); /* may be walked as a table */
bool oracle_fault(u64 va, bool store); /* the page-fault handler: repaired? */

/*
 * The current CPU begins to flush [start, end) of the mm with this root: entries that are not what the tables say now, or give more, are condemned.
 * It has promised that it is done: those that are still there are illegal from here on. (What others have changed in between is their promise.)
 */
void tlb_condemn(u64 root, u64 start, u64 end, bool kernel);
void tlb_promise(u64 root, u64 start, u64 end, bool kernel);

#endif
