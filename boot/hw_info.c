/* SPDX-License-Identifier: BSD-2-Clause */
/* What parsers of ACPI tables and of device trees have in common: CPUs and nodes that are told once or twice. Pure. */
#include "boot_info.h"
#include "lib/string.h"

void hw_info_clear(struct hw_info *hw)
{
	memset(hw, 0, sizeof(*hw));
	memset(hw->place, 0xff, sizeof(hw->place)); /* NOT_TOLD */
}

static unsigned find(const u32 *list, unsigned n, u32 wanted)
{
	unsigned i = 0;

	while (i < n && list[i] != wanted)
		i++;
	return i;
}

unsigned hw_info_find_id(const struct hw_info *hw, u32 hw_id)
{
	unsigned i = find(hw->hw_id, hw->nr_cpus, hw_id);

	return i < hw->nr_cpus ? i : MAX_CPUS;
}

unsigned hw_info_find_handle(const struct hw_info *hw, u32 handle)
{
	unsigned i = find(hw->handle, hw->nr_cpus, handle);

	return i < hw->nr_cpus ? i : MAX_CPUS;
}

unsigned hw_info_add_cpu(struct hw_info *hw, u32 hw_id, u32 handle)
{
	unsigned i = find(hw->hw_id, hw->nr_cpus, hw_id);

	if (i < hw->nr_cpus)
		return i;
	if (i == MAX_CPUS) {
		hw->nr_over_limit++;
		return MAX_CPUS;
	}
	hw->hw_id[i] = hw_id;
	hw->handle[i] = handle;
	hw->nr_cpus++;
	return i;
}

/* The first counts. */
static void warn(struct hw_info *hw, const char *warning)
{
	if (!hw->warning)
		hw->warning = warning;
}

u32 hw_info_node(struct hw_info *hw, u32 domain)
{
	unsigned i = find(hw->domain, hw->nr_nodes, domain);

	if (i < hw->nr_nodes)
		return i;
	if (i == MAX_NODES) {
		warn(hw, "firmware tells of more than 64 nodes; those beyond are not known by number");
		return NOT_TOLD;
	}
	hw->domain[hw->nr_nodes++] = domain;
	return i;
}

bool hw_info_node_range(struct hw_info *hw, u64 start, u64 bytes, u32 domain)
{
	u32 node = hw_info_node(hw, domain);

	if (start + bytes < start)
		return false;
	if (node == NOT_TOLD || !bytes)
		return true;
	if (hw->nr_node_ranges == MAX_NODE_RANGES) {
		warn(hw, "firmware tells of more than 128 ranges of nodes' memory; those beyond are not known to be a node's");
		return true;
	}
	hw->node_range[hw->nr_node_ranges].start = PA(start);
	hw->node_range[hw->nr_node_ranges].end = PA(start + bytes);
	hw->node_range[hw->nr_node_ranges++].node = node;
	return true;
}

static void exchange_nodes(struct hw_info *hw, u32 a, u32 b)
{
	u32 domain = hw->domain[a];

	hw->domain[a] = hw->domain[b];
	hw->domain[b] = domain;
	for (unsigned i = 0; i < hw->nr_cpus; i++) {
		u32 *node = &hw->place[i].at[LEVEL_NODE];

		*node = *node == a ? b : *node == b ? a : *node;
	}
	for (unsigned i = 0; i < hw->nr_node_ranges; i++) {
		u32 *node = &hw->node_range[i].node;

		*node = *node == a ? b : *node == b ? a : *node;
	}
}

void hw_info_sort_nodes(struct hw_info *hw)
{
	for (u32 a = 0; a < hw->nr_nodes; a++) {
		u32 least = a;

		for (u32 b = a + 1; b < hw->nr_nodes; b++)
			least = hw->domain[b] < hw->domain[least] ? b : least;
		if (least != a)
			exchange_nodes(hw, a, least);
	}
}

static void forget(struct hw_info *hw, enum level first, enum level last)
{
	for (unsigned i = 0; i < MAX_CPUS; i++)
		for (unsigned level = first; level <= last; level++)
			hw->place[i].at[level] = NOT_TOLD;
}

void hw_info_forget_nodes(struct hw_info *hw)
{
	hw->nr_nodes = hw->nr_node_ranges = 0;
	hw->distances_told = false;
	hw->nodes_by = NULL;
	forget(hw, LEVEL_NODE, LEVEL_NODE);
}

void hw_info_forget_places(struct hw_info *hw)
{
	hw->places_by = NULL;
	forget(hw, LEVEL_PACKAGE, LEVEL_THREAD);
}
