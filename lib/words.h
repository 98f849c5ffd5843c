/* SPDX-License-Identifier: BSD-2-Clause */
/* Text given as pointer and length: comparison, numbers, pieces. */
#ifndef LIB_WORDS_H
#define LIB_WORDS_H

#include "types.h"

bool word_is(const char *text, size_t n, const char *word); /* equal, whole */

/* Decimal or 0x hexadecimal, the whole text, no sign, no overflow. */
bool parse_uint(const char *text, size_t n, u64 *value);

/* Piece i (from 0) of text cut at `sep`; false: there are fewer. An empty text has one empty piece. */
bool piece(const char *text, char sep, unsigned i, const char **start, size_t *n);

/* The same for a text of `length` bytes. */
bool piece_of(const char *text, size_t length, char sep, unsigned i, const char **start, size_t *n);

/*
 * Is `text` probably a misspelt `word`? Up to a third of its letters, and at most two, are inserted, left out or changed.
 */
bool word_is_near(const char *text, size_t n, const char *word);

#endif
