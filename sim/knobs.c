/* SPDX-License-Identifier: BSD-2-Clause */
/* Hardware that is broken, by name (docs/model.md). No state: model.knobs is set for a run, by glue_set_up(). */
#include <string.h>

#include "sim/model.h"

static const char *const names[] = { KNOB_NAMES };

u32 knob_find(const char *name)
{
	unsigned i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return 1u << i;
	return 0;
}

const char *knob_names(u32 which, const char *before)
{
	static char text[200];
	unsigned i;

	text[0] = '\0';
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (which & 1u << i)
			strcat(strcat(text, before), names[i]);
	return text;
}
