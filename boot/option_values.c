/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of options: which ones an option accepts, and what they mean. Reads machine.options, which boot/options.c filled with
 * values that were accepted. So the accessors have no errors: what would be one is a CHECK.
 */
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

/* a, or a-b with a <= b. */
static bool parse_range(const char *text, size_t n, u64 *first, u64 *last)
{
	const char *low, *high;
	size_t low_n, high_n, none;

	piece_of(text, n, '-', 0, &low, &low_n);
	if (!piece_of(text, n, '-', 1, &high, &high_n)) {
		high = low;
		high_n = low_n;
	}
	if (piece_of(text, n, '-', 2, &text, &none))
		return false;
	return parse_uint(low, low_n, first) && parse_uint(high, high_n, last) && *first <= *last;
}

static bool uint_is_accepted(const struct option *o, const char *text)
{
	u64 value;

	return parse_uint(text, strlen(text), &value) && value >= o->min && value <= o->max;
}

static bool uint_list_is_accepted(const struct option *o, const char *text)
{
	const char *word;
	u64 first, last;
	unsigned i;
	size_t n;

	for (i = 0; piece(text, ',', i, &word, &n); i++) {
		if (!parse_range(word, n, &first, &last) || first < o->min || last > o->max)
			return false;
	}
	return true;
}

/* Index of the word in .accepts; -1: none of them. */
static int enum_index(const struct option *o, const char *text)
{
	const char *word;
	unsigned i;
	size_t n;

	for (i = 0; piece(o->accepts, '|', i, &word, &n); i++) {
		if (word_is(word, n, text))
			return (int)i;
	}
	return -1;
}

void option_accepts(const struct option *o, char *buf, size_t size)
{
	unsigned long long min = o->min, max = o->max;

	if (o->kind == OPTION_UINT)
		ksnprintf(buf, size, "a number from %llu to %llu", min, max);
	else if (o->kind == OPTION_UINT_LIST)
		ksnprintf(buf, size, "numbers from %llu to %llu and ranges a-b, separated by commas", min, max);
	else if (o->kind == OPTION_ENUM)
		ksnprintf(buf, size, "one of %s", o->accepts);
	else
		ksnprintf(buf, size, "%s", o->accepts ? o->accepts : "any text");
}

/* Runs .check over the value or its words. NULL, or what is accepted instead; *bad is the word meant. */
static const char *run_check(const struct option *o, const char *text, const char **bad, size_t *n)
{
	const char *accepted = NULL;
	unsigned i;

	*bad = text;
	*n = strlen(text);
	if (o->kind == OPTION_TEXT)
		return o->check ? o->check(text, *n) : NULL;
	for (i = 0; !accepted && piece(text, ',', i, bad, n); i++) {
		if (!*n)
			accepted = "words separated by single commas";
		else if (o->check)
			accepted = o->check(*bad, *n);
	}
	return accepted;
}

bool option_check_value(const struct option *o, const char *text, char *why, size_t size)
{
	const char *bad = text, *accepted = NULL;
	size_t n = strlen(text);
	bool good;

	if (o->kind == OPTION_UINT)
		good = uint_is_accepted(o, text);
	else if (o->kind == OPTION_UINT_LIST)
		good = uint_list_is_accepted(o, text);
	else if (o->kind == OPTION_ENUM)
		good = enum_index(o, text) >= 0;
	else
		good = !(accepted = run_check(o, text, &bad, &n));
	if (good)
		return true;
	ksnprintf(why, size, "\"%.*s\" is not accepted, but ", (int)MIN(n, 64), bad);
	if (accepted)
		ksnprintf_append(why, size, "%s", accepted);
	else
		option_accepts(o, why + strlen(why), size - strlen(why));
	return false;
}

const char *option_text(const struct option *o)
{
	const char *value = machine.options.value[o - __start_options]; /* NULL: options_parse() is still to come */

	return value ? value : o->def;
}

bool option_given(const struct option *o)
{
	return machine.options.given[o - __start_options];
}

u64 option_uint(const struct option *o)
{
	const char *text = option_text(o);
	u64 value;

	CHECK(o->kind == OPTION_UINT && parse_uint(text, strlen(text), &value));
	return value;
}

unsigned option_enum(const struct option *o)
{
	int index;

	CHECK(o->kind == OPTION_ENUM);
	index = enum_index(o, option_text(o));
	CHECK(index >= 0);
	return (unsigned)index;
}

bool option_list_uint(const struct option *o, unsigned i, u64 *value)
{
	const char *text = option_text(o), *word;
	u64 first, last, left = i;
	unsigned p;
	size_t n;

	for (p = 0; *text && piece(text, ',', p, &word, &n); p++) {
		CHECK(parse_range(word, n, &first, &last));
		if (left <= last - first) {
			*value = first + left;
			return true;
		}
		left -= last - first + 1;
	}
	return false;
}

bool option_list_word(const struct option *o, unsigned i, const char **word, size_t *n)
{
	const char *text = option_text(o);

	return *text && piece(text, ',', i, word, n);
}

bool option_list_has(const struct option *o, const char *wanted)
{
	const char *word;
	unsigned i;
	size_t n;

	for (i = 0; option_list_word(o, i, &word, &n); i++)
		if (word_is(word, n, wanted))
			return true;
	return false;
}
