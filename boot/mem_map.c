/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The map of physical memory: sorted, disjoint, neighbours of the same kind joined. Firmware's lists are none of that; where they
 * overlap the least usable kind wins, because memory that somebody else may use is worth less than a wrong result. No state.
 */
#include "boot_info.h"

static bool insert(struct mem_map *map, unsigned at, u64 start, u64 end, enum mem_kind kind)
{
	unsigned i;

	if (map->nr == MAX_MEM_RANGES)
		return false;
	for (i = map->nr++; i > at; i--)
		map->range[i] = map->range[i - 1];
	map->range[at] = (struct mem_range){ PA(start), PA(end), kind };
	return true;
}

/* A range that `at` lies inside of becomes two that meet there. */
static bool cut(struct mem_map *map, u64 at)
{
	unsigned i;

	for (i = 0; i < map->nr; i++) {
		struct mem_range *r = &map->range[i];

		if (r->start.raw >= at || r->end.raw <= at)
			continue;
		if (!insert(map, i, r->start.raw, at, r->kind))
			return false;
		map->range[i + 1].start = PA(at);
	}
	return true;
}

/* Joins range i and the one before it if they are one; true if so. */
static bool join(struct mem_map *map, unsigned i)
{
	struct mem_range *r = &map->range[i];

	if (i == 0 || i >= map->nr || r[-1].end.raw != r->start.raw || r[-1].kind != r->kind)
		return false;
	r[-1].end = r->end;
	map->nr--;
	for (; i < map->nr; i++)
		map->range[i] = map->range[i + 1];
	return true;
}

/*
 * After the two cuts every range is inside [start, end) or outside. From left to right: what is there becomes worse if need be,
 * what is not there is put in; joining at once keeps the list short.
 */
bool mem_map_add(struct mem_map *map, struct pa start, struct pa end, enum mem_kind kind)
{
	u64 at = start.raw;
	unsigned i = 0;

	if (start.raw >= end.raw)
		return true;
	if (!cut(map, start.raw) || !cut(map, end.raw))
		return false;
	while (i < map->nr && map->range[i].end.raw <= at)
		i++;
	while (at < end.raw) {
		if (i == map->nr || map->range[i].start.raw > at) {
			if (!insert(map, i, at, i == map->nr ? end.raw : MIN(end.raw, map->range[i].start.raw), kind))
				return false;
		}
		map->range[i].kind = MAX(map->range[i].kind, kind);
		at = map->range[i].end.raw;
		if (!join(map, i))
			i++;
	}
	join(map, i);
	return true;
}
