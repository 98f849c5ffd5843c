/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The world of the model's tests: memory of tables and frames, what the oracles ask about them, and the runner. Tables are taken
 * from TABLES up, data frames from FRAMES_4K and FRAMES_2M up.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/arena.h"
#include "sim/effects.h"
#include "sim/test/test.h"

#define TABLES 0x200000ull
#define FRAMES_4K 0x1000000ull
#define FRAMES_2M 0x4000000ull
#define NR (ARENA_BYTES / PAGE)

static u64 next_table, next_frame, next_large;
static u32 gen[NR];
static bool is_table[NR];
static struct model_test *tests, **last = &tests;
static const struct model_test *running;
static unsigned failures;
bool world_repairs;
unsigned world_faults;
u64 world_stored;
void (*world_interrupt)(void);

void test_register(struct model_test *test)
{
	*last = test;
	last = &test->next;
}

void test_failed(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	failures++;
	printf("%s:%d: %s: ", file, line, running->name);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

/* --- what the model asks --- */

u32 oracle_frame_gen(u64 pa)
{
	effects_walked(pa);
	return gen[pa / PAGE % NR];
}

bool oracle_frame_is_data(u64 pa)
{
	return !is_table[pa / PAGE % NR];
}

bool oracle_frame_is_table(u64 pa)
{
	return is_table[pa / PAGE % NR];
}

bool oracle_fault(u64 va, bool store)
{
	(void)va, (void)store;
	world_faults++;
	return world_repairs;
}

void oracle_interruptible(void)
{
}

void oracle_stored(u64 pa, u64 va)
{
	(void)va;
	world_stored = pa;
}

/* Without a kernel nobody knows what words are. */
void oracle_waits(char *text, size_t size)
{
	snprintf(text, size, ", each waiting for a word or an interrupt");
}

void sched_interrupt(unsigned vector)
{
	(void)vector;
	if (world_interrupt)
		world_interrupt();
}

/* --- tables --- */

static u64 new_table(void)
{
	u64 pa = next_table;

	next_table += PAGE;
	memset(ARENA + pa, 0, PAGE);
	is_table[pa / PAGE] = true;
	return pa;
}

u64 *world_entry(u64 root, u64 va, int shift)
{
	u64 table = root;
	int at;

	for (at = 39; at > shift; at -= 9) {
		u64 *entry = (u64 *)(ARENA + table) + (va >> at & 511);

		if (!*entry)
			*entry = new_table() | world_table;
		table = *entry & PTE_ADDR;
	}
	return (u64 *)(ARENA + table) + (va >> shift & 511);
}

static u64 *map(u64 root, u64 va, int shift, u64 *from, u64 bits)
{
	u64 *entry = world_entry(root, va, shift), i;

	for (i = 0; i < 1ull << shift; i += 8)
		*(u64 *)(ARENA + *from + i) = *from + i;
	*entry = *from | bits;
	*from += 1ull << shift;
	return entry;
}

u64 *world_map(u64 root, u64 va, u64 bits)
{
	return map(root, va, 12, &next_frame, bits | world_leaf);
}

u64 *world_map_large(u64 root, u64 va, u64 bits)
{
	return map(root, va, 21, &next_large, bits | world_large);
}

void world_free(u64 pa)
{
	gen[pa / PAGE]++;
	is_table[pa / PAGE] = false;
}

void world_reuse(u64 pa)
{
	world_free(pa);
	is_table[pa / PAGE] = true;
}

void world_take(u64 root, u64 va, int shift, u64 bits)
{
	*world_entry(root, va, shift) &= bits;
	stale_set_change(root, va, (unsigned)shift, false);
}

void world_begin(void)
{
	static char cpus[MODEL_CPUS];
	unsigned cpu;

	memset(&model, 0, offsetof(struct model, cpu) + 4 * sizeof(struct model_cpu));
	memset(is_table, 0, sizeof(is_table));
	memset(ARENA + ROOT_A, 0, 2 * PAGE);
	is_table[ROOT_A / PAGE] = is_table[ROOT_B / PAGE] = true;
	next_table = TABLES;
	next_frame = FRAMES_4K;
	next_large = FRAMES_2M;
	world_repairs = false;
	world_faults = 0;
	world_stored = 0;
	world_interrupt = NULL;
	sched_on = false;
	sched.limit = 100000;
	sched_cpus_at(cpus, 1);
	world_machine();
	model.nr_cpus = 2;
	for (cpu = 2; cpu-- > 0;) {
		sched_be(cpu);
		model.cpu[cpu].irq_on = true;
		world_cpu();
	}
}

/* --- what a CPU holds --- */

bool holds(unsigned cpu, u16 tag, u64 va)
{
	const struct model_cpu *c = &model.cpu[cpu];
	unsigned i;

	for (i = 0; i < c->nr_tlb; i++)
		if (tlb_covers(&c->tlb[i], va) && (c->tlb[i].global || c->tlb[i].tag == tag))
			return true;
	return false;
}

bool holds_walk(unsigned cpu, u16 tag, u64 va, int shift)
{
	const struct model_cpu *c = &model.cpu[cpu];
	unsigned i;

	for (i = 0; i < c->nr_walks; i++)
		if (c->walks[i].tag == tag && c->walks[i].shift == shift && va >> (shift + 9) == c->walks[i].prefix)
			return true;
	return false;
}

/* --- running --- */

static const char *run_mode(enum sched_mode mode, u64 seed, unsigned n, void (*entry)(unsigned cpu))
{
	model.nr_cpus = n;
	sched.mode = mode;
	sched.seed = seed;
	sched.depth = 3;
	sched.nr = 0;
	sched.length = 100;
	sched_run(n, entry);
	return outcome.oracle;
}

const char *run_seed(u64 seed, unsigned n, void (*entry)(unsigned cpu))
{
	return run_mode(seed % 2 ? SCHED_PCT : SCHED_RANDOM, seed, n, entry);
}

const char *run(unsigned n, void (*entry)(unsigned cpu))
{
	return run_mode(SCHED_REPLAY, 0, n, entry);
}

int main(int argc, char **argv)
{
	unsigned passed = 0, failed = 0;

	arena_init();
	for (running = tests; running; running = running->next) {
		if (argc > 1 && strcmp(argv[1], running->name))
			continue;
		failures = 0;
		alarm(20); /* seconds: a test that hangs fails, and ends the program */
		world_begin();
		running->run();
		passed += !failures;
		failed += !!failures;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
