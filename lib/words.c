/* SPDX-License-Identifier: BSD-2-Clause */
/* Text given as pointer and length. No state. */
#include "lib/words.h"
#include "lib/string.h"

bool word_is(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(text, word, n) == 0;
}

/* 16 if c is no digit of any base. */
static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A' + 10);
	return 16;
}

bool parse_uint(const char *text, size_t n, u64 *value)
{
	unsigned base = 10;
	u64 v = 0;
	size_t i;

	if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
		n -= 2;
	}
	for (i = 0; i < n; i++) {
		if (digit(text[i]) >= base || __builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit(text[i]), &v))
			return false;
	}
	*value = v;
	return n > 0;
}

bool piece_of(const char *text, size_t length, char sep, unsigned i, const char **start, size_t *n)
{
	const char *end = text + length;
	const char *p;

	for (;; i--) {
		for (p = text; p < end && *p != sep; p++)
			;
		if (i == 0)
			break;
		if (p == end)
			return false;
		text = p + 1;
	}
	*start = text;
	*n = (size_t)(p - text);
	return true;
}

bool piece(const char *text, char sep, unsigned i, const char **start, size_t *n)
{
	return piece_of(text, strlen(text), sep, i, start, n);
}

/*
 * Can `text` become `word` by at most `edits` insertions, deletions and changes of a letter? The common beginning costs nothing
 * and is never better given up; with two edits at most there are 3 * 3 ways to look at.
 */
static bool within_edits(const char *text, size_t n, const char *word, size_t m, unsigned edits)
{
	while (n && m && *text == *word) {
		text++, n--;
		word++, m--;
	}
	if (!n || !m)
		return n + m <= edits;
	if (!edits)
		return false;
	return within_edits(text + 1, n - 1, word + 1, m - 1, edits - 1) || within_edits(text + 1, n - 1, word, m, edits - 1) ||
	       within_edits(text, n, word + 1, m - 1, edits - 1);
}

bool word_is_near(const char *text, size_t n, const char *word)
{
	size_t m = strlen(word);

	return within_edits(text, n, word, m, (unsigned)MIN(m / 3, 2));
}
