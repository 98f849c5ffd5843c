/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What product sources need of the world: the machine, a console that remembers, an end of the run that is a failure. Functions are
 * weak where a test may link the product's own.
 */
#include <stdarg.h>

#include "check.h"
#include "smp/wait.h"
#include "unit.h"

#define WEAK __attribute__((weak))

WEAK struct machine machine;
struct cpu *host_cpu = &machine.cpu[0];
u64 host_clock;
void (*host_step)(void);
bool host_irqs_on;

jmp_buf unit_check_jump;
bool unit_check_wanted;

static char console[1 << 20];
static size_t console_n;

void unit_world_begins(void)
{
	memset(&machine, 0, sizeof(machine));
	machine.smp.nr_cpus = 1;
	host_cpu = &machine.cpu[0];
	host_step = NULL;
	unit_console_clear();
}

const char *unit_console(void)
{
	return console;
}

void unit_console_clear(void)
{
	console_n = 0;
	console[0] = '\0';
}

void unit_set_option(const char *name, const char *value)
{
	const struct option *o;

	REGISTRY_FOR_EACH(o, options) {
		if (strcmp(o->name, name) == 0) {
			machine.options.value[o - __start_options] = value;
			return;
		}
	}
	unit_fail(__FILE__, __LINE__, "no option %s is linked in", name);
}

void *unit_exact(const void *bytes, size_t n)
{
	char *p = malloc(n ? n : 1);

	if (n)
		memcpy(p, bytes, n);
	return p;
}

u64 random_of(u64 *seed, u64 n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % n;
}

/* An end of the run: wanted by EXPECT_CHECK, or the end of this program. */
static _Noreturn void ended(const char *text)
{
	if (unit_check_wanted)
		longjmp(unit_check_jump, 1);
	unit_abort(text);
}

_Noreturn void check_failed(const char *what, const char *file, int line)
{
	char text[256];

	snprintf(text, sizeof(text), "%s:%d: CHECK(%s)", file, line, what);
	ended(text);
}

_Noreturn void panic(const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	ended(text);
}

_Noreturn void host_stuck(void);
_Noreturn void host_stuck(void)
{
	ended("waits for a word that nobody changes");
}

WEAK u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	(void)w, (void)cond, (void)operand, (void)what;
	host_stuck();
}

WEAK u64 wait_alone(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	return wait_slowly(w, cond, operand, what);
}

WEAK void platform_console_write(const char *text, size_t n)
{
	if (n >= sizeof(console) - console_n)
		ended("the console of the unit tests is full");
	memcpy(console + console_n, text, n);
	console_n += n;
	console[console_n] = '\0';
}
