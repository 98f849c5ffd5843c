/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The nodes of a device tree that say who is near whom: /cpus/cpu-map and /distance-map (bindings cpu/cpu-topology and numa). Pure.
 * CPUs are known by then, by their phandles, and nodes by numa-node-id.
 */
#include "boot/fdt.h"

#include "lib/string.h"

static bool begins(const struct device_tree *t, int node, const char *text)
{
	const char *name = fdt_get_name(t->fdt, node, NULL);

	return name && !strncmp(name, text, strlen(text));
}

/* How many CPUs of this core were placed before. */
static u32 threads_before(const struct hw_info *hw, u32 core)
{
	u32 n = 0;

	for (unsigned i = 0; i < hw->nr_cpus; i++)
		n += hw->place[i].at[LEVEL_CORE] == core;
	return n;
}

/* A leaf, core or thread, has a CPU's phandle. */
static void place_cpu(struct device_tree *t, int leaf, const u32 *at)
{
	struct hw_info *hw = t->hw;
	u32 phandle;
	unsigned cpu = tree_cell(t, leaf, "cpu", 0, &phandle) ? hw_info_find_handle(hw, phandle) : MAX_CPUS;

	if (cpu == MAX_CPUS || at[LEVEL_CORE] == NOT_TOLD || hw->place[cpu].at[LEVEL_CORE] != NOT_TOLD)
		return;
	hw->place[cpu].at[LEVEL_THREAD] = threads_before(hw, at[LEVEL_CORE]);
	for (enum level level = LEVEL_PACKAGE; level <= LEVEL_CORE; level++)
		hw->place[cpu].at[level] = at[level];
	hw->places_by = "cpu-map";
}

/*
 * Numbers are where nodes stand; complex is the innermost cluster, package the socket; where one is not there it is what is above
 * it.
 */
static void read_map(struct device_tree *t, int parent, const struct place *above)
{
	int node;

	fdt_for_each_subnode(node, t->fdt, parent) {
		struct place here = *above;

		if (begins(t, node, "socket"))
			here.at[LEVEL_PACKAGE] = here.at[LEVEL_COMPLEX] = (u32)node;
		else if (begins(t, node, "cluster"))
			here.at[LEVEL_COMPLEX] = (u32)node;
		else if (begins(t, node, "core"))
			here.at[LEVEL_CORE] = (u32)node;
		place_cpu(t, node, here.at);
		read_map(t, node, &here);
	}
}

static u32 known_node(const struct hw_info *hw, u32 domain)
{
	u32 i = 0;

	while (i < hw->nr_nodes && hw->domain[i] != domain)
		i++;
	return i;
}

/* Triples: from, to, distance. One direction stands for both, and what is told of none is 10 to itself, else not reachable. */
static void read_distances(const struct device_tree *t, int map)
{
	struct hw_info *hw = t->hw;
	u32 a, b, distance, from, to;

	memset(hw->distance, 0, sizeof(hw->distance));
	for (unsigned i = 0; tree_cell(t, map, "distance-matrix", i, &a); i += 3) {
		tree_cell(t, map, "distance-matrix", i + 1, &b);
		tree_cell(t, map, "distance-matrix", i + 2, &distance); /* 0 if the triple is not whole: refused below */
		if (distance > UNREACHABLE || (a == b ? distance != 10 : distance <= 10)) {
			hw->warning = "fdt: the distance-map has distances below 10, or not 10 from a node to itself, or no end";
			return;
		}
		from = known_node(hw, a);
		to = known_node(hw, b);
		if (from < hw->nr_nodes && to < hw->nr_nodes)
			hw->distance[from][to] = (u8)distance;
	}
	for (from = 0; from < hw->nr_nodes; from++) {
		for (to = 0; to <= from; to++) {
			u8 *there = &hw->distance[from][to], *back = &hw->distance[to][from];
			u8 absent = from == to ? 10 : UNREACHABLE;

			*there = *there ? *there : *back ? *back : absent;
			*back = *back ? *back : *there;
		}
	}
	hw->distances_told = hw->nr_nodes > 0;
}

void tree_judge_topology(struct device_tree *t)
{
	int map = fdt_path_offset(t->fdt, "/cpus/cpu-map");
	int distances = fdt_node_offset_by_compatible(t->fdt, -1, "numa-distance-map-v1");
	struct place root = { .at = { [LEVEL_PACKAGE] = (u32)map, [LEVEL_COMPLEX] = (u32)map, [LEVEL_CORE] = NOT_TOLD } };

	if (map >= 0)
		read_map(t, map, &root);
	if (distances >= 0)
		read_distances(t, distances);
}
