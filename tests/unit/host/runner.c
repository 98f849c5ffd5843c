/* SPDX-License-Identifier: BSD-2-Clause */
/* The runner of a unit test program. */
#include <stdarg.h>
#include <unistd.h>

#include "unit.h"

static struct unit_test *tests, **last = &tests;
static const struct unit_test *running;
static unsigned failures; /* of the running test */

void unit_register(struct unit_test *test)
{
	*last = test;
	last = &test->next;
}

void unit_fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	failures++;
	printf("%s:%d: %s: ", file, line, running->name);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

unsigned unit_failures(void)
{
	return failures;
}

_Noreturn void unit_abort(const char *text)
{
	printf("%s: %s\n", running->name, text);
	fflush(stdout);
	abort();
}

int main(void)
{
	const struct unit_test *t;
	unsigned passed = 0, failed = 0;

	for (t = tests; t; t = t->next) {
		running = t;
		failures = 0;
		unit_world_begins();
		alarm(100); /* seconds: a test that hangs fails, and ends the program */
		t->run();
		if (failures)
			failed++;
		else
			passed++;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
