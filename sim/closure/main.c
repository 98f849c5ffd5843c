/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line, the trace, and what the C needs of the house that is not linked. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "option.h"
#include "sim/closure/closure.h"
#include "smp/wait.h"

struct machine machine;
struct limits limits = { .cpus = 2, .mms = 4, .tags = 4, .generations = 3, .states = 40000000, .flusher = true, .symmetry = true };
const struct model *model;
bool tracing;
char violated[64], why[400];

static const struct model *const models[] = { &generation_by_broadcast, &generation_by_interrupts, &global_asids };

/* --- the trace --- */

void closure_note(const char *fmt, ...)
{
	va_list args;

	if (!tracing)
		return;
	printf("  ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
}

u64 closure_did(const char *what, const void *word, u64 value)
{
	char name[80];

	if (tracing && model->name_word(name, sizeof(name), word, value))
		closure_note("%s %s", what, name);
	return value;
}

/* --- the house --- */

_Noreturn void check_failed(const char *what, const char *file, int line)
{
	violation("CHECK", "%s:%d: %s", file, line, what);
	abort();
}

u64 option_uint(const struct option *o)
{
	(void)o;
	return 0; /* by default: all that there are */
}

u64 wait_alone(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	u64 value;

	(void)what;
	do
		value = load_relaxed(w);
	while (!wait_satisfied(value, cond, operand));
	return value;
}

u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	return wait_alone(w, cond, operand, what);
}

/* --- the command line --- */

static const struct {
	const char *name;
	unsigned *value, min, max;
} numbers[] = {
	{ "--cpus", &limits.cpus, 2, 3 },
	{ "--mms", &limits.mms, 2, NR_MMS },
	{ "--asids", &limits.tags, 4, 7 },
	{ "--generations", &limits.generations, 1, 6 },
};

static _Noreturn void usage(const char *what, const char *accepted)
{
	fprintf(stderr, "tlblab closure: %s: accepted are %s\n", what, accepted);
	exit(2);
}

static bool take_number(const char *name, const char *text)
{
	char accepted[40], *end;
	unsigned i;
	long n;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (strcmp(name, numbers[i].name) != 0)
			continue;
		n = strtol(text ? text : "", &end, 10);
		if (!text || !*text || *end || n < (long)numbers[i].min || n > (long)numbers[i].max) {
			snprintf(accepted, sizeof(accepted), "%u to %u", numbers[i].min, numbers[i].max);
			usage(name, accepted);
		}
		*numbers[i].value = (unsigned)n;
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	char accepted[200] = "";
	unsigned i;
	int at;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		snprintf(accepted + strlen(accepted), sizeof(accepted) - strlen(accepted), "%s%s", i ? ", " : "", models[i]->name);
		if (argc > 1 && strcmp(argv[1], models[i]->name) == 0)
			model = models[i];
	}
	if (!model)
		usage(argc > 1 ? argv[1] : "no model", accepted);
	for (at = 2; at < argc; at++) {
		if (strcmp(argv[at], "--by-name") == 0)
			limits.symmetry = false;
		else if (strcmp(argv[at], "--no-flusher") == 0)
			limits.flusher = false;
		else if (strcmp(argv[at], "--idle") == 0)
			limits.idle = true;
		else if (take_number(argv[at], argv[at + 1]))
			at++;
		else
			usage(argv[at], "--cpus, --mms, --asids, --generations N, --no-flusher, --idle, --by-name");
	}
	if (limits.cpus + 1 >= limits.tags)
		usage("--asids", "more than there are CPUs, and two more: 0 is KMM's");
	return search();
}
