/* SPDX-License-Identifier: BSD-2-Clause */
/* The states that a search has seen, by the hash of each; at most half of the table is used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/exhaust_node.h"

static struct seen *table;
static u64 table_size;

struct seen *seen_find(u64 key)
{
	u64 i = key & (table_size - 1);

	while (table[i].key && table[i].key != key)
		i = (i + 1) & (table_size - 1);
	return &table[i];
}

_Noreturn void search_give_up(const char *why)
{
	fprintf(stderr, "tlblab sim: the search can't go on: %s\n", why);
	exit(3);
}

static void grow(void)
{
	struct seen *old = table;
	u64 n = table_size, i;

	table_size = n ? 2 * n : 1 << 16;
	table = calloc(table_size, sizeof(*table));
	if (!table)
		search_give_up("no memory for more states");
	for (i = 0; i < n; i++)
		if (old[i].key)
			*seen_find(old[i].key) = old[i];
	free(old);
}

void seen_grow(u64 states)
{
	while (2 * (states + 1) >= table_size)
		grow();
}

void seen_forget(void)
{
	if (table)
		memset(table, 0, table_size * sizeof(*table));
}
