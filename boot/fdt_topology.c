/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The nodes of a device tree that say who is near whom: /cpus/cpu-map and /distance-map (bindings cpu/cpu-topology and numa). Pure.
 * CPUs are known by then, by their phandles, and nodes by numa-node-id.
 */
#include "boot/fdt.h"

#include "lib/string.h"

static bool begins(const struct node *node, const char *text)
{
	size_t n = strlen(text);

	return node->name.n > n && !memcmp(node->name.at, text, n);
}

/* How many CPUs of this core were placed before. */
static u32 threads_before(const struct hw_info *hw, u32 core)
{
	u32 n = 0;

	for (unsigned i = 0; i < hw->nr_cpus; i++)
		n += hw->place[i].at[LEVEL_CORE] == core;
	return n;
}

/*
 * A leaf of cpu-map, core or thread, with a CPU's phandle. Numbers are those of nodes; complex is the innermost cluster, package
 * the socket; where one is not there it is what is above it.
 */
static void place_cpu(struct walk *w, const struct node *leaf)
{
	unsigned cpu = hw_info_find_handle(w->hw, fdt_be32(w->own.cpu, 0));
	const struct node *map = &w->node[2], *core = begins(leaf, "thread") ? leaf - 1 : leaf, *complex = core - 1, *package = map;
	u32 *at;

	if (cpu == MAX_CPUS || w->own.cpu.n != 4 || !begins(core, "core"))
		return;
	for (const struct node *above = map; above < core; above++)
		if (begins(above, "socket"))
			package = above;
	at = w->hw->place[cpu].at;
	if (at[LEVEL_CORE] != NOT_TOLD)
		return;
	at[LEVEL_THREAD] = threads_before(w->hw, core->number);
	at[LEVEL_CORE] = core->number;
	at[LEVEL_COMPLEX] = complex->number;
	at[LEVEL_PACKAGE] = package->number;
	w->hw->places_by = "cpu-map";
}

static u32 known_node(const struct hw_info *hw, u32 domain)
{
	u32 i = 0;

	while (i < hw->nr_nodes && hw->domain[i] != domain)
		i++;
	return i;
}

/* Triples: from, to, distance. One direction stands for both, and what is told of none is 10 to itself, else not reachable. */
static void read_distances(struct hw_info *hw, struct bytes matrix)
{
	memset(hw->distance, 0, sizeof(hw->distance));
	for (u64 i = 0; i < matrix.n; i += 12) {
		u32 a = fdt_be32(matrix, i), b = fdt_be32(matrix, i + 4), distance = fdt_be32(matrix, i + 8);
		u32 from = known_node(hw, a), to = known_node(hw, b);

		if (matrix.n % 12 || distance > UNREACHABLE || (a == b ? distance != 10 : distance <= 10)) {
			hw->warning = "fdt: the distance-map has distances below 10, or not 10 from a node to itself, or no end";
			return;
		}
		if (from < hw->nr_nodes && to < hw->nr_nodes)
			hw->distance[from][to] = (u8)distance;
	}
	for (unsigned from = 0; from < hw->nr_nodes; from++) {
		for (unsigned to = 0; to <= from; to++) {
			u8 *there = &hw->distance[from][to], *back = &hw->distance[to][from];
			u8 absent = from == to ? 10 : UNREACHABLE;

			*there = *there ? *there : *back ? *back : absent;
			*back = *back ? *back : *there;
		}
	}
	hw->distances_told = hw->nr_nodes > 0;
}

void fdt_judge_topology(struct walk *w)
{
	struct node *node = &w->node[w->depth - 1];

	if (w->depth > 3 && fdt_is_text(w->node[1].name, "cpus") && fdt_is_text(w->node[2].name, "cpu-map"))
		place_cpu(w, node);
	else if (w->depth == 2 && fdt_has_text(w->own.compatible, "numa-distance-map-v1"))
		read_distances(w->hw, w->own.distance_matrix);
}
