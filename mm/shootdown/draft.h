/* SPDX-License-Identifier: BSD-2-Clause */
/* A strategy while it is composed: parse.c reads the words, strategy.c adds what was not said and looks whether all fits. */
#ifndef MM_SHOOTDOWN_DRAFT_H
#define MM_SHOOTDOWN_DRAFT_H

#include "lib/printf.h"
#include "mm/shootdown/strategy.h"

struct draft {
	struct strategy *s;
	bool preset_given[NR_STAGES]; /* the stage's choice came from the preset and may be replaced */
	const char *spec; /* for messages */
	size_t n;
	bool tests;
	char *error;
	size_t size;
};

/* Writes the one line of error; false. */
bool draft_fail(struct draft *d, const char *fmt, ...) PRINTF(2, 3);

/* By name; NULL. Sabotages for tests only. */
const struct choice *draft_find(const struct draft *d, const char *name, size_t n);
const struct preset *preset_find(const char *name, size_t n);

/* What was chosen for a stage so far; the first one where it takes several. NULL: nothing. */
const struct choice *draft_choice(const struct strategy *s, enum stage stage);
bool draft_several(enum stage stage);
bool draft_add(struct draft *d, const struct choice *c, u64 value, bool from_preset);

/* Words of spec[0..n), separated by +; with `first`, the first one is a transport. */
bool draft_words(struct draft *d, const char *spec, size_t n, bool first, bool from_preset);

#endif
