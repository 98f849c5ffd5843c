/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Litmus shapes on the machine that the kernel is booted on: each is run many times, its threads let go together, with delays that
 * differ, and what the registers held in the end is counted. Seen or not, what is allowed passes; what is forbidden fails. Between
 * runs entries are broken, dropped by every thread, and made again. State: struct series, on CPU 0's stack.
 */
#include "arch/clock.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "machine.h"
#include "mm/switch.h"
#include "option.h"
#include "tests/guest/oracle.h"
#include "tests/litmus/litmus.h"

OPTION(litmus, .kind = OPTION_UINT, .accepts = "count", .def = "50", .min = 1, .max = 4000000000,
       .help = "runs of each shape in a round of test litmus, as many as are done in 400 us each");
OPTION(litmus_unbroken, .kind = OPTION_ENUM, .accepts = "no|yes", .def = "no",
       .help = "arm64: also shapes that change an entry without break before make, which may end in a TLB conflict abort");

#define RUN_US 400
#define VALUES 4 /* of a register: FAULTS, OLD, NEW, THIRD */
#define REGISTERS 4
#define COMBINATIONS 256
#define MAX_DELAY 64 /* reads of the clock before a thread begins */

struct series {
	struct litmus_run run;
	struct meeting meeting;
	u64 wanted, deadline;
	u64 done; /* CPU 0's; the others read it between two meetings */
	bool more; /* likewise */
	unsigned nr_registers;
	struct litmus_value registers[REGISTERS];
	u32 counts[COMBINATIONS]; /* by the values of the registers, the first one lowest */
};

static unsigned combination(const struct series *s)
{
	unsigned i, n = 0;

	for (i = s->nr_registers; i-- > 0;)
		n = n * VALUES + (s->run.reg[s->registers[i].thread][s->registers[i].reg] & (VALUES - 1));
	return n;
}

static void delay(u64 *random)
{
	u64 n;

	*random = *random * 6364136223846793005ull + 1442695040888963407ull;
	for (n = *random >> 33 & (MAX_DELAY - 1); n; n--)
		clock_sample();
}

static void take_part(void *arg, unsigned thread)
{
	static const char what[] = "a litmus shape";
	struct series *s = arg;
	u64 random = thread + 1;

	switch_mm(s->run.mm);
	for (;;) {
		if (!thread)
			litmus_break(&s->run);
		meet(&s->meeting, what);
		litmus_drop();
		meet(&s->meeting, what);
		if (!thread)
			litmus_rewind(&s->run);
		meet(&s->meeting, what);
		litmus_hold(&s->run, thread);
		meet(&s->meeting, what);
		delay(&random);
		litmus_thread(&s->run, thread);
		meet(&s->meeting, what);
		if (!thread) {
			s->counts[combination(s)]++;
			s->more = ++s->done < s->wanted && clock_now() < s->deadline;
		}
		meet(&s->meeting, what);
		if (!s->more)
			return;
	}
}

/* The registers as they were in combination n. */
static void put_registers(const struct series *s, unsigned n, u64 (*reg)[LITMUS_REGS])
{
	unsigned i;

	for (i = 0; i < s->nr_registers; i++, n /= VALUES)
		reg[s->registers[i].thread][s->registers[i].reg] = n % VALUES;
}

static u64 count_of(const struct series *s, const struct litmus_outcome *o)
{
	u64 reg[LITMUS_THREADS][LITMUS_REGS] = { { 0 } }, sum = 0;
	unsigned n;

	for (n = 0; n < COMBINATIONS; n++) {
		put_registers(s, n, reg);
		if (s->counts[n] && (o ? litmus_outcome(s->run.shape, o, reg) : litmus_premise(s->run.shape, reg)))
			sum += s->counts[n];
	}
	return sum;
}

static u64 per_million(const struct series *s, u64 n)
{
	return n * 1000000 / s->done;
}

/* "P1:y=1 P1:x=old: 12, ..." */
static void put_outcomes(const struct series *s, char *buf, size_t size)
{
	char text[24];
	unsigned n, i, rest;

	*buf = 0;
	for (n = 0; n < COMBINATIONS; n++) {
		if (!s->counts[n])
			continue;
		if (*buf)
			ksnprintf_append(buf, size, ", ");
		for (i = 0, rest = n; i < s->nr_registers; i++, rest /= VALUES) {
			struct litmus_value v = s->registers[i];

			v.value = rest % VALUES;
			litmus_value_text(s->run.shape, &v, text, sizeof(text));
			ksnprintf_append(buf, size, "%s ", text);
		}
		ksnprintf_append(buf, size, "%llu", (unsigned long long)per_million(s, s->counts[n]));
	}
}

/* Not inline: its text and record would stand on the stack while the shape runs. */
static __attribute__((noinline)) bool report(const struct series *s, const struct litmus_outcome *o, struct test_run *t)
{
	const struct litmus *shape = s->run.shape;
	enum litmus_verdict verdict = o->by[litmus_isa()].verdict;
	u64 seen = count_of(s, o);
	bool good = !seen || verdict != FORBIDDEN;
	char outcomes[400];
	struct record r;

	put_outcomes(s, outcomes, sizeof(outcomes));
	record_begin(&r, "litmus");
	record_str(&r, "shape", shape->name);
	record_str(&r, "outcome", o->name);
	record_str(&r, "verdict", litmus_verdict_name(verdict));
	record_str(&r, "rule", o->by[litmus_isa()].why);
	record_u64(&r, "cpus", litmus_threads(shape));
	record_u64(&r, "runs", s->done);
	record_u64(&r, "premise", count_of(s, NULL));
	record_u64(&r, "seen", seen);
	record_u64(&r, "per_million", per_million(s, seen));
	record_str(&r, "result", good ? "ok" : "forbidden");
	record_str(&r, "outcomes", outcomes);
	record_end(&r);
	kprintf("# litmus %s, %s: %llu of %llu, %s%s\n", shape->name, o->name, (unsigned long long)seen,
		(unsigned long long)s->done, litmus_verdict_name(verdict), good ? "" : ": MUST NOT BE");
	return good || test_fail(t, "%s: %s is forbidden by rule %s and was seen %llu times", shape->name, o->name,
				 o->by[litmus_isa()].why, (unsigned long long)seen);
}

static bool run_shape(const struct litmus *shape, struct test_run *t)
{
	u64 wanted = option_uint(&option_litmus);
	struct series s = { .meeting.n = litmus_threads(shape), .wanted = wanted,
			    .deadline = clock_now() + wanted * RUN_US * clock_info()->ticks_per_us };
	bool good = true;
	unsigned i;

	if (!litmus_create(&s.run, shape))
		return test_no_frames(t);
	s.nr_registers = litmus_registers(shape, s.registers, REGISTERS);
	cpumask_first_n(&machine.shootdown.scratch, litmus_threads(shape));
	workers_run(&machine.shootdown.scratch, take_part, &s);
	litmus_destroy(&s.run);
	for (i = 0; i < ARRAY_SIZE(shape->outcome) && shape->outcome[i].name; i++)
		good &= report(&s, &shape->outcome[i], t);
	return good;
}

static bool is_run(const struct litmus *shape, const struct test_run *t)
{
	bool careful = litmus_isa() == LITMUS_ARM64 && !option_enum(&option_litmus_unbroken);

	return litmus_is_here(shape) && litmus_threads(shape) <= t->cpus && !(careful && shape->unbroken);
}

static bool litmus(struct test_run *t)
{
	const struct litmus *shape;
	bool good = true;

	REGISTRY_FOR_EACH (shape, litmuses)
		if (is_run(shape, t) && !t->skip)
			good &= run_shape(shape, t);
	return good;
}
TEST(litmus, .help = "litmus shapes of page tables, invalidations and messages: nothing that is forbidden is seen (docs/litmus.md)",
     .once = true, .stale_on_purpose = true, .run = litmus);
