/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where CPUs and memory are: what firmware told, completed by what the CPUs say themselves; the order in which CPUs are numbered;
 * the node that frames come from; records. State: machine.boot.place, places_by.
 */
#include "boot/topology.h"

#include "arch/frame.h"
#include "arch/platform.h"
#include "boot/placement.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

#define CPUS_PER_RECORD 64

static const char any_or_node[] = "any, or the number of a node";

static const char *node_accepts(const char *text, size_t n)
{
	u64 node;

	bool good = word_is(text, n, "any") || (parse_uint(text, n, &node) && node < MAX_NODES);

	return good ? NULL : any_or_node;
}

OPTION(placement, .kind = OPTION_ENUM, .accepts = "listed|smt|complex|package|node|spread", .def = "listed",
       .help = "which CPUs a benchmark of N CPUs has: the first that firmware lists; as few cores, complexes, packages or\n"
	       "      nodes as possible and in these apart; or apart everywhere");
OPTION(frames_node, .kind = OPTION_TEXT, .accepts = any_or_node, .def = "any", .check = node_accepts,
       .help = "the NUMA node that memory for address spaces under test comes from");

/* False: any. */
static bool wanted_node(u64 *node)
{
	const char *text = option_text(&option_frames_node);

	return parse_uint(text, strlen(text), node);
}

const char *topology_check(char *text, size_t size)
{
	const struct hw_info *hw = &machine.boot.hw;
	bool has_memory = false;
	u64 node;

	if (option_enum(&option_placement) == PLACE_NODE && !hw->nr_nodes)
		return "placement=node: firmware tells of no NUMA nodes";
	if (!wanted_node(&node))
		return NULL;
	for (unsigned i = 0; i < hw->nr_node_ranges; i++)
		has_memory |= hw->node_range[i].node == node;
	if (has_memory)
		return NULL;
	ksnprintf(text, size, "frames_node=%llu: of %u nodes that firmware tells of, from 0, this is none that has memory; or any",
		  (unsigned long long)node, hw->nr_nodes);
	return text;
}

/* Of the CPUs in the list, whatever their numbers mean. */
static void collect(const u32 *hw_ids, unsigned nr, struct place *told)
{
	const struct hw_info *hw = &machine.boot.hw;

	memset(told, 0xff, nr * sizeof(*told)); /* NOT_TOLD */
	for (unsigned i = 0; i < nr; i++) {
		unsigned position = hw_info_find_id(hw, hw_ids[i]);

		if (position < MAX_CPUS)
			told[i] = hw->place[position];
		machine.boot.places_by = platform_place(hw_ids[i], hw->places_by, &told[i]);
	}
}

void topology_order(u32 *hw_ids, unsigned nr)
{
	struct place *told = frame_contents(boot_alloc(2 * nr * sizeof(*told), PAGE_SIZE)), *place = told + nr;
	struct placement_scratch *scratch = frame_contents(boot_alloc(sizeof(*scratch), PAGE_SIZE));
	u32 *listed = frame_contents(boot_alloc(nr * sizeof(*listed), PAGE_SIZE));
	u16 *order = frame_contents(boot_alloc(nr * sizeof(*order), PAGE_SIZE));

	collect(hw_ids, nr, told);
	placement_number(told, nr, place);
	placement_order(option_enum(&option_placement), place, nr, order, scratch);
	memcpy(listed, hw_ids, nr * sizeof(*listed));
	for (unsigned i = 0; i < nr; i++) {
		hw_ids[i] = listed[order[i]];
		machine.boot.place[i] = place[order[i]];
		machine.boot.listed_id[i] = hw_ids[i];
	}
}

/* CPUs that did not come leave gaps in the list: cpu <= its position there. */
void topology_admitted(u32 hw_id, unsigned cpu)
{
	unsigned i = cpu;

	while (machine.boot.listed_id[i] != hw_id)
		i++;
	machine.boot.listed_id[cpu] = hw_id;
	machine.boot.place[cpu] = machine.boot.place[i];
}

void topology_choose_memory(void)
{
	const struct hw_info *hw = &machine.boot.hw;
	struct mem_map *wanted;
	u64 node;

	if (!wanted_node(&node))
		return;
	wanted = frame_contents(boot_alloc(sizeof(*wanted), PAGE_SIZE));
	for (unsigned i = 0; i < hw->nr_node_ranges; i++)
		if (hw->node_range[i].node == node)
			mem_map_add(wanted, hw->node_range[i].start, hw->node_range[i].end, MEM_USABLE);
	boot_alloc_keep(wanted);
}

static unsigned count_numbers(enum level level)
{
	u32 most = 0;

	for (unsigned cpu = 0; cpu < machine.smp.nr_cpus; cpu++)
		if (machine.boot.place[cpu].at[level] != NOT_TOLD)
			most = MAX(most, machine.boot.place[cpu].at[level] + 1);
	return most;
}

static void record_cpus(unsigned first, unsigned n)
{
	static const char *const names[NR_LEVELS] = { "node", "package", "complex", "core", "thread" };
	u32 numbers[CPUS_PER_RECORD];
	struct record r;

	record_begin(&r, "cpus");
	record_u64(&r, "first", first);
	record_list(&r, "hw_id", &machine.boot.listed_id[first], n);
	for (enum level level = 0; level < NR_LEVELS; level++) {
		for (unsigned i = 0; i < n; i++)
			numbers[i] = machine.boot.place[first + i].at[level];
		record_list(&r, names[level], numbers, n);
	}
	record_end(&r);
}

static void record_node(unsigned node)
{
	const struct hw_info *hw = &machine.boot.hw;
	u32 distances[MAX_NODES];
	struct record r;
	u64 bytes = 0;

	for (unsigned i = 0; i < hw->nr_node_ranges; i++)
		bytes += hw->node_range[i].node == node ? hw->node_range[i].end.raw - hw->node_range[i].start.raw : 0;
	for (unsigned to = 0; to < hw->nr_nodes; to++)
		distances[to] = hw->distance[node][to];
	record_begin(&r, "node");
	record_u64(&r, "node", node);
	record_u64(&r, "domain", hw->domain[node]);
	record_u64(&r, "mib", bytes >> 20);
	if (hw->distances_told)
		record_list(&r, "distances", distances, hw->nr_nodes);
	record_end(&r);
}

void topology_report(void)
{
	const struct hw_info *hw = &machine.boot.hw;
	struct record r;

	record_begin(&r, "topology");
	record_str(&r, "places_by", machine.boot.places_by);
	record_str(&r, "nodes_by", hw->nodes_by ? hw->nodes_by : "none");
	record_str(&r, "placement", option_text(&option_placement));
	record_u64(&r, "nodes", hw->nr_nodes);
	record_u64(&r, "packages", count_numbers(LEVEL_PACKAGE));
	record_u64(&r, "complexes", count_numbers(LEVEL_COMPLEX));
	record_u64(&r, "cores", count_numbers(LEVEL_CORE));
	record_end(&r);
	for (unsigned node = 0; node < hw->nr_nodes; node++)
		record_node(node);
	for (unsigned cpu = 0; cpu < machine.smp.nr_cpus; cpu += CPUS_PER_RECORD)
		record_cpus(cpu, MIN(machine.smp.nr_cpus - cpu, (unsigned)CPUS_PER_RECORD));
	kprintf("%u packages, %u complexes, %u cores by %s; %u nodes by %s\n", count_numbers(LEVEL_PACKAGE),
		count_numbers(LEVEL_COMPLEX), count_numbers(LEVEL_CORE), machine.boot.places_by, hw->nr_nodes,
		hw->nodes_by ? hw->nodes_by : "nobody");
}
