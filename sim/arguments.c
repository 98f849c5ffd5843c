/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: options with a value (the next argument, or behind '='), and flags. Owns args, constant once it is parsed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words.h"
#include "sim/arguments.h"
#include "sim/model.h"
#include "sim/oracle.h"

struct arguments args = { .tlb = "ipi", .scenario = "", .schedules = 10000, .seed = 1, .fills = 2, .write = "failure.replay",
			  .states = 1 << 24, .preemptions = -1 };

static const struct {
	const char *name, **value;
} texts[] = {
	{ "--tlb", &args.tlb }, { "--scenario", &args.scenario }, { "--replay", &args.replay }, { "--write", &args.write },
};

static const struct {
	const char *name;
	u64 *value;
	unsigned *small; /* or */
	u64 min, max;
} numbers[] = {
	{ "--cpus", NULL, &args.cpus, 1, MODEL_CPUS },	    { "--schedules", &args.schedules, NULL, 1, ~0ull },
	{ "--seed", &args.seed, NULL, 0, ~0ull },	    { "--skip", &args.skip, NULL, 0, ~0ull >> 1 },
	{ "--depth", NULL, &args.depth, 2, 8 },		    { "--fills", NULL, &args.fills, 0, 1000 },
	{ "--states", &args.states, NULL, 1, 1ull << 32 },  { "--preemptions", (u64 *)&args.preemptions, NULL, 0, 100 },
};

static const struct {
	const char *name;
	bool *value;
} flags[] = {
	{ "--sabotage", &args.sabotage },  { "--quiet", &args.quiet },		{ "--list", &args.list },
	{ "--exhaustive", &args.exhaustive }, { "--unreduced", &args.unreduced }, { "--outcomes", &args.outcomes },
	{ "--events", &args.events },
};

_Noreturn void usage(const char *what, const char *value, const char *accepted)
{
	fprintf(stderr, "tlblab sim: %s %s: %s\n", what, value, accepted);
	exit(2);
}

static u64 number(const char *what, const char *text, u64 min, u64 max)
{
	u64 value;
	char accepted[80];

	if (parse_uint(text, strlen(text), &value) && value >= min && value <= max)
		return value;
	snprintf(accepted, sizeof(accepted), "%llu..%llu is accepted", (unsigned long long)min, (unsigned long long)max);
	usage(what, text, accepted);
}

/* NULL: argv[*i] is not `name`. */
static const char *value_of(int argc, char **argv, int *i, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(argv[*i], name, n) || (argv[*i][n] && argv[*i][n] != '='))
		return NULL;
	if (argv[*i][n])
		return argv[*i] + n + 1;
	if (*i + 1 == argc)
		usage(name, "", "a value is missing");
	return argv[++*i];
}

static void check_oracle(const char *what, const char *name, bool known)
{
	char accepted[280];

	snprintf(accepted, sizeof(accepted), "no oracle; there are %s", oracle_names());
	if (!known)
		usage(what, name, accepted);
}

static u32 parse_knob(const char *name)
{
	char accepted[240];

	snprintf(accepted, sizeof(accepted), "no knob; there are%s", knob_names(KNOB_ALL, " "));
	if (!knob_find(name))
		usage("--knob", name, accepted);
	return knob_find(name);
}

static bool parse_text(int argc, char **argv, int *i)
{
	const char *v;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(texts); k++) {
		if ((v = value_of(argc, argv, i, texts[k].name))) {
			*texts[k].value = v;
			return true;
		}
	}
	if ((v = value_of(argc, argv, i, "--without")))
		check_oracle("--without", v, oracle_switch(v, false));
	else if ((v = value_of(argc, argv, i, "--only")))
		check_oracle("--only", v, oracle_only(v));
	else if ((v = value_of(argc, argv, i, "--knob")))
		args.have.knobs |= parse_knob(v);
	return v;
}

static bool parse_number(int argc, char **argv, int *i)
{
	const char *v;
	u64 value;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(numbers); k++) {
		if ((v = value_of(argc, argv, i, numbers[k].name))) {
			value = number(numbers[k].name, v, numbers[k].min, numbers[k].max);
			if (numbers[k].small)
				*numbers[k].small = (unsigned)value;
			else
				*numbers[k].value = value;
			return true;
		}
	}
	return false;
}

static bool parse_flag(const char *word)
{
	size_t k;

	for (k = 0; k < ARRAY_SIZE(flags); k++) {
		if (!strcmp(word, flags[k].name)) {
			*flags[k].value = true;
			return true;
		}
	}
	if (strncmp(word, "--", 2) || !flag_find(word + 2))
		return false;
	args.have.flags |= flag_find(word + 2);
	return true;
}

void arguments_parse(int argc, char **argv)
{
	char accepted[400];
	int i;

	snprintf(accepted, sizeof(accepted),
		 "unknown; there are --tlb --scenario --cpus --schedules --seed --skip --depth --fills --knob --without --only "
		 "--replay --write --sabotage --quiet --list --exhaustive --preemptions --states --unreduced --outcomes --events, "
		 "and of the CPUs%s", flag_names(FLAG_ALL, " --"));
	for (i = 1; i < argc; i++)
		if (!parse_text(argc, argv, &i) && !parse_number(argc, argv, &i) && !parse_flag(argv[i]))
			usage("option", argv[i], accepted);
}
