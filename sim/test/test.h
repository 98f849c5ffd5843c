/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the model, in both directions: what may survive does survive, what must die dies. The model stands alone here, without a
 * kernel; world.c says what frames are and what a page fault does.
 *
 *	MODEL_TEST(invlpg_drops_its_page)
 *	{
 *		world_map(ROOT_A, PAGE_1, 0);
 *		...
 *		EXPECT(!holds(0, 1, PAGE_1));
 *	}
 *
 * A failed EXPECT prints file, line and text, and the test goes on. Each test begins with an empty world of two CPUs.
 */
#ifndef SIM_TEST_H
#define SIM_TEST_H

#include "sim/oracle.h"
#include "sim/sched.h"
#include "sim/tlb.h"

struct model_test {
	const char *name;
	void (*run)(void);
	struct model_test *next;
};

void test_register(struct model_test *test);
void test_failed(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#define MODEL_TEST(sym)                                                                                                            \
	static void test_##sym(void);                                                                                              \
	static struct model_test entry_##sym = { #sym, test_##sym, NULL };                                                         \
	__attribute__((constructor)) static void register_##sym(void)                                                              \
	{                                                                                                                          \
		test_register(&entry_##sym);                                                                                       \
	}                                                                                                                          \
	static void test_##sym(void)

#define EXPECT(cond)                                                                                                               \
	do {                                                                                                                       \
		if (!(cond))                                                                                                       \
			test_failed(__FILE__, __LINE__, "%s", #cond);                                                              \
	} while (0)

#define EXPECT_EQ(got, want)                                                                                                       \
	do {                                                                                                                       \
		u64 got_ = (u64)(got), want_ = (u64)(want);                                                                        \
		if (got_ != want_)                                                                                                 \
			test_failed(__FILE__, __LINE__, "%s is 0x%llx, not 0x%llx", #got, (llu)got_, (llu)want_);                  \
	} while (0)

/* --- world.c --- */

#define ROOT_A 0x100000ull
#define ROOT_B 0x101000ull
#define PAGE_1 0x10000000ull
#define PAGE_2 0x10001000ull /* same table */
#define PAGE_FAR 0x018000000000ull /* nothing in common but the root */
#define LARGE 0x40000000ull /* for 2M pages */
#define KERNEL 0xffff900000000000ull

void world_begin(void); /* two CPUs with ROOT_A under tag 1; two roots that map nothing */
void world_settle(void); /* of each ISA: what was stored until now is seen by all CPUs */

/* Maps va in the tables under root to a frame of its own, which holds its own address in each word. Returns the leaf entry. */
u64 *world_map(u64 root, u64 va, u64 bits); /* 4K */
u64 *world_map_large(u64 root, u64 va, u64 bits); /* 2M */
u64 *world_entry(u64 root, u64 va, int shift); /* of the table with entries of that size on the path of va */
void world_free(u64 pa); /* the frame is somebody else's now */
void world_reuse(u64 pa); /* ... as a table */
void world_take(u64 root, u64 va, int shift, u64 bits); /* changes the leaf to have only those bits, as a kernel would */
extern bool world_repairs; /* the page-fault handler says "again" */
extern unsigned world_faults;
extern u64 world_stored; /* frame that a store reached last */
extern void (*world_interrupt)(void); /* the handler; may be NULL */

/* Whether a CPU holds a translation of va under the tag (or a global one); a table of entries of `shift` bits on its path. */
bool holds(unsigned cpu, u16 tag, u64 va);
bool holds_walk(unsigned cpu, u16 tag, u64 va, int shift);

/* --- ISA/test/world.c --- */
extern const u64 world_table, world_leaf, world_large; /* bits of an entry: for a table, a page, a large page */
void world_cpu(void); /* the current CPU: ROOT_A under tag 1 */
void world_machine(void); /* what the CPUs have */

/* --- world.c --- */
/* Runs entry on n CPUs under one schedule; NULL or the oracle that spoke. */
const char *run_seed(u64 seed, unsigned n, void (*entry)(unsigned cpu));
const char *run(unsigned n, void (*entry)(unsigned cpu)); /* no interference: CPU 0 first, then CPU 1 */

#endif
