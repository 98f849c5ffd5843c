/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a broadcast do what it says, on every CPU? Each CPU is to show once that it keeps an old entry as long as nobody does
 * anything about it, and that the broadcast kills it: one under a tag, and a global one. Some CPUs say that they can, and can't
 * (Linux a74bb5f202da). State: struct self_test of the driver.
 */
#include "arch/broadcast.h"
#include "arch/frame.h"
#include "arch/platform.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "machine.h"
#include "mm/shootdown/stages.h"
#include "tests/guest/oracle.h"

#define ATTEMPTS 8 /* until each CPU has kept an entry once: it may lose one by itself */
#define SELF_TEST_VA VA(KERNEL_MAP_START + 0x20000000)

enum { OLD = 1, NEW };

struct self_test {
	struct mm *mm;
	struct va va;
	struct meeting meeting;
	struct pa next; /* frame to be mapped, with NEW */
	struct shared_mask kept; /* CPUs whose old entry was there before the broadcast */
	struct shared_mask outlived; /* ... and after it */
};

/* A transport that flushes nobody, this CPU included. */
static enum take takes_it(const struct request *req)
{
	(void)req;
	return TAKE;
}

static const struct transport nobody = {
	.fallback = "none",
	.broadcasts = true,
	.takes = takes_it,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = transport_nothing,
	.sync = transport_nothing,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

static u64 load(const struct self_test *s)
{
	struct access a = va_load(s->va);

	return a.fault ? 0 : a.value;
}

/* With one slot, every mm is under tag 0 on every CPU. */
static void broadcast(const struct self_test *s)
{
	if (s->mm->kernel)
		broadcast_kernel_range(s->va, 1, PAGE_SHIFT, 0);
	else
		broadcast_range(0, s->va, 1, PAGE_SHIFT, 0);
	broadcast_sync();
}

static void take_part(void *arg, unsigned index)
{
	static const char what[] = "the self-test of the broadcast";
	struct self_test *s = arg;
	unsigned self = this_cpu()->id;
	bool filled;

	switch_mm(s->mm);
	filled = load(s) == OLD;
	meet(&s->meeting, what);
	if (!index)
		mm_remap(s->mm, s->va, s->next, s->mm->kernel ? PROT_READ | PROT_GLOBAL : PROT_READ | PROT_USER);
	meet(&s->meeting, what);
	if (filled && load(s) == OLD)
		shared_mask_set(&s->kept, self);
	meet(&s->meeting, what);
	if (!index)
		broadcast(s);
	meet(&s->meeting, what);
	if (load(s) != NEW)
		shared_mask_set(&s->outlived, self);
}

static struct pa page_of(u64 value)
{
	struct pa pa = frame_alloc(FRAME_DATA);

	CHECK(!pa_is_none(pa)); /* at boot they are all free */
	frame_fill(pa, PAGE_SIZE, value);
	return pa;
}

/* False: `why` says which CPU failed. */
static bool attempt(struct self_test *s, struct mm *mm, struct va va, char *why, size_t size)
{
	bool kernel = mm->kernel;
	unsigned cpu;

	s->mm = mm;
	s->va = va;
	s->next = page_of(NEW);
	CHECK(mm_map_frame(mm, va, page_of(OLD), 0, kernel ? PROT_READ | PROT_GLOBAL : PROT_READ | PROT_USER));
	workers_run(&machine.smp.online, take_part, s);
	strategy_settle();
	mm_unmap(mm, va, PAGE_SIZE);
	strategy_settle();
	for (cpu = 0; cpu < machine.smp.nr_cpus && !shared_mask_test(&s->outlived, cpu); cpu++)
		;
	if (cpu < machine.smp.nr_cpus)
		ksnprintf(why, size, "self-test: %s entry of CPU %u outlives a broadcast", kernel ? "a global" : "an", cpu);
	return cpu == machine.smp.nr_cpus;
}

static bool all_kept(const struct self_test *s, char *why, size_t size)
{
	unsigned cpu;

	for (cpu = 0; cpu < machine.smp.nr_cpus && shared_mask_test(&s->kept, cpu); cpu++)
		;
	if (cpu < machine.smp.nr_cpus)
		ksnprintf(why, size, "self-test: CPU %u keeps no entry to try a broadcast on", cpu);
	return cpu == machine.smp.nr_cpus;
}

static bool try(struct mm *mm, struct va va, char *why, size_t size)
{
	struct self_test s = { .meeting.n = machine.smp.nr_cpus };
	unsigned i;

	for (i = 0; i < ATTEMPTS; i++) {
		if (!attempt(&s, mm, va, why, size))
			return false;
		if (all_kept(&s, why, size))
			return true;
	}
	return false;
}

bool broadcast_self_test(char *why, size_t size)
{
	const struct strategy *before = strategy_now();
	struct strategy quiet;
	struct mm *mm;
	bool good;

	CHECK(strategy_compose(&quiet, "none+slots=1", 12, false, why, size));
	quiet.transport = quiet.fallback = &nobody;
	strategy_install(&quiet);
	mm = mm_create();
	CHECK(mm);
	good = try(mm, TEST_VA, why, size) && try(&machine.mm.kernel, SELF_TEST_VA, why, size);
	mm_destroy(mm);
	strategy_install(before);
	return good;
}

static bool self_test(struct test_run *t)
{
	const char *missing = broadcast_missing();
	char why[100];

	if (missing) {
		t->skip = true;
		return test_fail(t, "%s", missing), true;
	}
	return broadcast_self_test(why, sizeof(why)) || test_fail(t, "%s", why);
}
TEST(self_test, .help = "a broadcast kills an entry of every CPU, which lives without it (also done at boot)", .once = true,
     .stale_on_purpose = true, .run = self_test);
