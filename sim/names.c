/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flags and knobs by name (docs/model.md). No state: a run's are in struct features, and model.knobs is set by glue_set_up().
 */
#include <string.h>

#include "sim/model.h"

#define NR(list) (sizeof(list) / sizeof(*list))

static const char *const flags[] = { FLAG_NAMES }, *const knobs[] = { KNOB_NAMES };

static u32 find(const char *const *list, unsigned n, const char *name)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (!strcmp(list[i], name))
			return 1u << i;
	return 0;
}

static const char *names(const char *const *list, unsigned n, u32 which, const char *before, char *text)
{
	unsigned i;

	text[0] = '\0';
	for (i = 0; i < n; i++)
		if (which & 1u << i)
			strcat(strcat(text, before), list[i]);
	return text;
}

u32 flag_find(const char *name)
{
	return find(flags, NR(flags), name);
}

u32 knob_find(const char *name)
{
	return find(knobs, NR(knobs), name);
}

const char *flag_names(u32 which, const char *before)
{
	static char text[200];

	return names(flags, NR(flags), which, before, text);
}

const char *knob_names(u32 which, const char *before)
{
	static char text[300];

	return names(knobs, NR(knobs), which, before, text);
}
