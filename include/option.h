/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel options, `name=value` on the command line. Declared next to their user:
 *
 *	OPTION(repeat, .kind = OPTION_UINT, .def = "10", .min = 1, .max = 1000000, .help = "rounds per cell");
 *	... option_uint(&option_repeat) ...
 *
 * Values are checked once, at boot, by options_parse(); what is returned later is always valid.
 */
#ifndef OPTION_H
#define OPTION_H

#include "registry.h"

enum option_kind {
	OPTION_UINT, /* decimal or 0x..., within min..max */
	OPTION_ENUM, /* one word of .accepts, separated by '|' */
	OPTION_UINT_LIST, /* 1,2,4: each within min..max; ranges a-b */
	OPTION_WORDS, /* words separated by ',', each checked by .check */
	OPTION_TEXT, /* anything, checked by .check */
};

struct option {
	const char *name;
	const char *accepts; /* ENUM: the words; others: how the value looks, for help and errors */
	const char *def; /* default, in the form a user would type; "" for a list or text: nothing */
	const char *help; /* one line */
	u64 min, max;
	/* One word (WORDS) or the value (TEXT): NULL, or what is accepted instead. May be NULL: all is accepted. */
	const char *(*check)(const char *text, size_t n);
	enum option_kind kind;
};

#define OPTION(sym, ...) REGISTRY_ENTRY(options, option, option_##sym) = { .name = #sym, __VA_ARGS__ }
REGISTRY_DECLARE(options, option);

#define MAX_OPTIONS 64

/* Parsed values; part of struct machine. */
struct options_state {
	char text[4096]; /* copy of the command line, cut at separators */
	const char *value[MAX_OPTIONS]; /* by registry index: text as given, or the default */
	bool given[MAX_OPTIONS];
	bool help; /* the bare word `help` was there */
};

/*
 * Parses a whole command line: words name=value separated by spaces, "double quotes" around what has spaces in it, and the bare
 * word `help`. False: `error` holds one line that says what, where and what is accepted, about the first word that is wrong: an
 * unknown name, a name given twice, a missing value, a value that is not accepted, a byte that is not printable ASCII. The other
 * words count nevertheless, so that the error reaches the console that was asked for. The words quiet and "--" are nothing
 * special; no word at all is fine.
 */
bool options_parse(const char *cmdline, char *error, size_t size);

/* What values `o` accepts, as text: for help and errors. */
void option_accepts(const struct option *o, char *buf, size_t size);

/* Is `text` a value that `o` accepts? False: `why` says what is wrong with it and what is accepted. */
bool option_check_value(const struct option *o, const char *text, char *why, size_t size);

/* Before options_parse() these return the defaults. Accessors are not for hot paths: they look at the text each time. */
u64 option_uint(const struct option *o);
unsigned option_enum(const struct option *o); /* index of the word in .accepts */
const char *option_text(const struct option *o); /* as given, or the default */
bool option_given(const struct option *o);

/* Lists: element i; false when there is none. Ranges a-b are expanded. */
bool option_list_uint(const struct option *o, unsigned i, u64 *value);
bool option_list_word(const struct option *o, unsigned i, const char **word, size_t *n);
bool option_list_has(const struct option *o, const char *wanted); /* one of the words */

#endif
