/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command line: words, quotes, errors. State: machine.options, written once at boot by the boot CPU, constant afterwards. What
 * a value may be is in boot/option_values.c.
 *
 * Invariant: every value kept was accepted by its option, or is its default.
 */
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

struct errors {
	char *line; /* the first one; empty: none so far */
	size_t size;
};

/* Every option at its default; one that its own option refuses is our bug. */
static void set_defaults(struct options_state *s)
{
	const struct option *o;
	char why[256];
	bool empty;

	CHECK(REGISTRY_COUNT(options) <= MAX_OPTIONS);
	memset(s, 0, sizeof(*s));
	REGISTRY_FOR_EACH(o, options) {
		empty = !*o->def && o->kind != OPTION_UINT && o->kind != OPTION_ENUM;
		if (!empty && !option_check_value(o, o->def, why, sizeof(why)))
			panic("option %s: its default %s", o->name, why);
		s->value[o - __start_options] = o->def;
	}
}

static const struct option *find(const char *name, size_t n)
{
	const struct option *o;

	REGISTRY_FOR_EACH(o, options) {
		if (word_is(name, n, o->name))
			return o;
	}
	return NULL;
}

/* The start of an error line, if it is the first. False: it is not. */
static bool error_begin(struct errors *e, unsigned number, const char *word)
{
	if (*e->line)
		return false;
	ksnprintf(e->line, e->size, "command line, word %u (%.*s): ", number, 64, word);
	return true;
}

#define error_add(e, ...) ksnprintf_append((e)->line, (e)->size, __VA_ARGS__)

static void error_unknown(struct errors *e, const char *name, size_t n)
{
	const struct option *o;
	const char *before = "; accepted are help, ";

	REGISTRY_FOR_EACH(o, options) {
		if (word_is_near(name, n, o->name)) {
			error_add(e, "there is no such option; %s is near", o->name);
			return;
		}
	}
	error_add(e, "there is no such option");
	REGISTRY_FOR_EACH(o, options) {
		error_add(e, "%s%s", before, o->name);
		before = ", ";
	}
}

static void parse_word(struct options_state *s, unsigned number, const char *word, struct errors *e)
{
	const char *name, *value;
	const struct option *o;
	char why[384];
	size_t n;

	if (word_is(word, strlen(word), "help")) {
		s->help = true;
		return;
	}
	piece(word, '=', 0, &name, &n);
	value = name[n] ? name + n + 1 : "";
	o = find(name, n);
	if (o && *value && !s->given[o - __start_options] && option_check_value(o, value, why, sizeof(why))) {
		s->given[o - __start_options] = true;
		s->value[o - __start_options] = value;
		return;
	}
	if (!error_begin(e, number, word))
		return;
	if (!o) {
		error_unknown(e, name, n);
	} else if (!*value) {
		option_accepts(o, why, sizeof(why));
		error_add(e, "a value is missing; %s=VALUE takes %s", o->name, why);
	} else if (s->given[o - __start_options]) {
		error_add(e, "%s is given twice; once is accepted", o->name);
	} else {
		error_add(e, "%s", why);
	}
}

/* One line if there is a byte in it that could not be shown in an error, or more of them than we keep. */
static bool line_is_sane(const char *cmdline, struct errors *e)
{
	size_t i;

	for (i = 0; cmdline[i]; i++) {
		if ((u8)cmdline[i] < 0x20 || (u8)cmdline[i] >= 0x7f) {
			error_add(e, "command line, byte %zu: 0x%02x is not accepted, but printable ASCII", i + 1, (u8)cmdline[i]);
			return false;
		}
	}
	if (i >= sizeof(machine.options.text)) {
		error_add(e, "command line: %zu bytes are too many, %zu are accepted", i, sizeof(machine.options.text) - 1);
		return false;
	}
	return true;
}

/* The next word of *from, without its quotes, to *to, which both move on. NULL: there is none. */
static char *next_word(const char **from, char **to, bool *open)
{
	char *word = *to;
	bool quoted = false;

	while (**from == ' ')
		(*from)++;
	if (!**from)
		return NULL;
	for (; **from && (quoted || **from != ' '); (*from)++) {
		if (**from == '"')
			quoted = !quoted;
		else
			*(*to)++ = **from;
	}
	*(*to)++ = '\0';
	*open = quoted;
	return word;
}

bool options_parse(const char *cmdline, char *error, size_t size)
{
	struct options_state *s = &machine.options;
	struct errors e = { error, size };
	char *to = s->text, *word;
	unsigned number = 0;
	bool open;

	*error = '\0';
	set_defaults(s);
	if (!line_is_sane(cmdline, &e))
		return false;
	while ((word = next_word(&cmdline, &to, &open))) {
		number++;
		if (!open)
			parse_word(s, number, word, &e);
		else if (error_begin(&e, number, word))
			error_add(&e, "a double quote is not closed");
	}
	return !*error;
}
