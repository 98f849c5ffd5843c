/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unit tests: the kernel's own sources, compiled for the host under ASan and UBSan. One program for each tests/unit/NAME.c:
 *
 *	// units: lib/words.c			(the product's sources it is linked with, in a comment; make reads it)
 *	#include "unit.h"
 *	#include "lib/words.h"
 *
 *	UNIT_TEST(words_compare_whole)
 *	{
 *		EXPECT(word_is("ab", 2, "ab"));
 *		EXPECT_EQ(2 + 2, 4);
 *	}
 *
 * A failed EXPECT prints file, line and values and the test goes on; a sanitizer's report, a failed CHECK and a panic end the
 * program. EXPECT_CHECK(statement) wants a CHECK or panic in it. `make unit` builds and runs all; build/unit/NAME runs one.
 *
 * To test a source that needs more of the machine: name it, and what it needs of the product, in the units line (mm/frame.c
 * smp/lock.c, ...); host/machine/ has the stand-ins for <machine/...>, host/host.c those for what is below every floor (console,
 * end of the run). A function that no named source has is written in the test itself, which is then the place that says what it
 * pretends (frame_contents() over an array, say). An option or a counter of a source that is not named is declared there too.
 * `machine` is zero at the start of each test but for smp.nr_cpus, 1; host_cpu is CPU 0.
 */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

struct unit_test {
	const char *name;
	void (*run)(void);
	struct unit_test *next;
};

void unit_register(struct unit_test *test);

#define UNIT_TEST(sym)                                                     \
	static void test_##sym(void);                                      \
	static struct unit_test entry_##sym = { #sym, test_##sym, NULL };  \
	__attribute__((constructor)) static void register_##sym(void)      \
	{                                                                  \
		unit_register(&entry_##sym);                               \
	}                                                                  \
	static void test_##sym(void)

/* The running test has failed; says where and why. */
void unit_fail(const char *file, int line, const char *fmt, ...) PRINTF(3, 4);

#define EXPECT(cond)                                                   \
	do {                                                           \
		if (!(cond))                                           \
			unit_fail(__FILE__, __LINE__, "%s", #cond);    \
	} while (0)

#define EXPECT_EQ(got, want)                                                                                                 \
	do {                                                                                                                 \
		u64 got_ = (u64)(got), want_ = (u64)(want);                                                                  \
		if (got_ != want_)                                                                                           \
			unit_fail(__FILE__, __LINE__, "%s is %llu (0x%llx), not %llu (0x%llx)", #got, (unsigned long long)got_, \
				  (unsigned long long)got_, (unsigned long long)want_, (unsigned long long)want_);            \
	} while (0)

#define EXPECT_STR(got, want)                                                                             \
	do {                                                                                              \
		const char *got_ = (got), *want_ = (want);                                                \
		if (!got_ || strcmp(got_, want_) != 0)                                                    \
			unit_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got, got_ ? got_ : "(null)", want_); \
	} while (0)

/* A CHECK or panic in `statement` comes back here. */
extern jmp_buf unit_check_jump;
extern bool unit_check_wanted;

#define EXPECT_CHECK(statement)                                                        \
	do {                                                                           \
		unit_check_wanted = true;                                              \
		if (!setjmp(unit_check_jump)) {                                        \
			statement;                                                     \
			unit_fail(__FILE__, __LINE__, "no CHECK in: %s", #statement);  \
		}                                                                      \
		unit_check_wanted = false;                                             \
	} while (0)

/* The program ends: a failure that no test goes on after. */
_Noreturn void unit_abort(const char *text);

/* All is as at the start of a test. */
void unit_world_begins(void);

/* What was written to the console since the test began, as a string. */
const char *unit_console(void);
void unit_console_clear(void);

/* As if the command line had it, unchecked. */
void unit_set_option(const char *name, const char *value);

/* n bytes at the end of their own allocation, so that ASan sees a read of one more. Free with free(). */
void *unit_exact(const void *bytes, size_t n);

/* 0..n-1; not the product's generator. n is at most 2^31. */
u64 random_of(u64 *seed, u64 n);

/* Failures of the running test so far: loops over thousands of inputs stop at the first. */
unsigned unit_failures(void);

#endif
