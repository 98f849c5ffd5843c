/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/fdt*.c third_party/libfdt/?*.c boot/hw_info.c boot/mem_map.c tests/unit/host/tree.c tests/unit/host/firmware.c */
/* cpu-map, numa-node-id and distance-map of a device tree, and consoles that are no PL011. */
#include "host/tree.h"
#include "unit.h"

static void cpu(u64 id, u32 phandle, u32 domain)
{
	tree_node("cpu");
	PROP_TEXT("device_type", "cpu");
	tree_prop("reg", 8);
	tree_put(8, id);
	tree_prop_32("phandle", phandle);
	if (domain != NOT_TOLD)
		tree_prop_32("numa-node-id", domain);
	tree_node_end();
}

static void leaf(const char *name, u32 phandle)
{
	tree_node(name);
	tree_prop_32("cpu", phandle);
	tree_node_end();
}

/* One socket: a cluster of two cores with two threads, one in it of a core; another: a core without a cluster. */
static void cpu_map(void)
{
	tree_node("cpu-map");
	tree_node("socket0");
	tree_node("cluster0");
	for (unsigned core = 0; core < 2; core++) {
		tree_node(core ? "core1" : "core0");
		leaf("thread0", 0x8000 + 2 * core);
		leaf("thread1", 0x8001 + 2 * core);
		tree_node_end();
	}
	tree_node("cluster0");
	leaf("core0", 0x8004);
	leaf("core1", 0x9999); /* nobody's */
	leaf("core1", 0x8000); /* placed before */
	tree_node_end();
	tree_node_end();
	tree_node_end();
	tree_node("socket1");
	leaf("core0", 0x8005);
	tree_node_end();
	tree_node_end();
}

static void make(const u32 *distances, unsigned n)
{
	static const u64 ids[] = { 0x100000000, 0x100000001, 0x80000300, 0x301, 0x2, 0x10203 };

	tree_begin();
	tree_node("");
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	tree_node("distance-map"); /* before the nodes that it is about */
	PROP_TEXT("compatible", "numa-distance-map-v1");
	tree_prop("distance-matrix", n * 4);
	for (unsigned i = 0; i < n; i++)
		tree_put(4, distances[i]);
	tree_node_end();
	for (unsigned i = 0; i < 2; i++) {
		tree_node("memory");
		PROP_TEXT("device_type", "memory");
		REG(0x40000000 + i * 0x8000000ull, 0x8000000);
		tree_prop_32("numa-node-id", i ? 3 : 7); /* the greater first */
		tree_node_end();
	}
	tree_node("cpus");
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 0);
	cpu_map();
	for (unsigned i = 0; i < 6; i++)
		cpu(ids[i], 0x8000 + i, i == 5 ? NOT_TOLD : i < 4 ? 7 : 3);
	tree_node_end();
	tree_node("serial@b0000");
	PROP_TEXT("compatible", "ns16550a");
	REG(0xb0000, 0x100);
	tree_prop_32("reg-shift", 2);
	tree_prop_32("reg-io-width", 3); /* nonsense: 1 */
	tree_node_end();
	tree_node_end();
	tree_finish();
}
#define MAKE(...) make((u32[]){ __VA_ARGS__ }, sizeof((u32[]){ __VA_ARGS__ }) / 4)

UNIT_TEST(fdt_cpu_map)
{
	static const unsigned same_core[] = { 0, 0, 1, 1, 2, 3 }, same_complex[] = { 0, 0, 0, 0, 1, 2 };
	static const unsigned package[] = { 0, 0, 0, 0, 0, 1 };
	static const unsigned thread[] = { 0, 1, 0, 1, 0, 0 };

	MAKE(3, 7, 20);
	EXPECT(tree_parses() && !tree_hw.error && !tree_hw.warning);
	EXPECT_EQ(tree_hw.nr_cpus, 6);
	EXPECT_EQ(tree_hw.hw_id[0], 0x01000000);
	EXPECT_EQ(tree_hw.hw_id[2], 0x300);
	EXPECT_STR(tree_hw.places_by, "cpu-map");
	for (unsigned a = 0; a < 6; a++) {
		const u32 *at = tree_hw.place[a].at;

		EXPECT_EQ(at[LEVEL_THREAD], thread[a]);
		for (unsigned b = 0; b < 6; b++) {
			EXPECT_EQ(at[LEVEL_CORE] == tree_hw.place[b].at[LEVEL_CORE], same_core[a] == same_core[b]);
			EXPECT_EQ(at[LEVEL_COMPLEX] == tree_hw.place[b].at[LEVEL_COMPLEX], same_complex[a] == same_complex[b]);
			EXPECT_EQ(at[LEVEL_PACKAGE] == tree_hw.place[b].at[LEVEL_PACKAGE], package[a] == package[b]);
		}
	}
}

UNIT_TEST(fdt_nodes)
{
	MAKE(3, 7, 20);
	EXPECT(tree_parses());
	EXPECT_STR(tree_hw.nodes_by, "numa-node-id");
	EXPECT_EQ(tree_hw.nr_nodes, 2);
	EXPECT_EQ(tree_hw.domain[0], 3);
	EXPECT_EQ(tree_hw.domain[1], 7);
	EXPECT_EQ(tree_hw.place[0].at[LEVEL_NODE], 1);
	EXPECT_EQ(tree_hw.place[4].at[LEVEL_NODE], 0);
	EXPECT_EQ(tree_hw.place[5].at[LEVEL_NODE], NOT_TOLD);
	EXPECT_EQ(tree_hw.nr_node_ranges, 2);
	EXPECT_EQ(tree_hw.node_range[1].start.raw, 0x48000000);
	EXPECT_EQ(tree_hw.node_range[1].end.raw, 0x50000000);
	EXPECT_EQ(tree_hw.node_range[1].node, 0);
}

UNIT_TEST(fdt_distances)
{
	MAKE(3, 7, 20); /* one direction stands for both */
	EXPECT(tree_parses() && tree_hw.distances_told);
	EXPECT_EQ(tree_hw.distance[0][1], 20);
	EXPECT_EQ(tree_hw.distance[1][0], 20);
	EXPECT_EQ(tree_hw.distance[1][1], 10);
	MAKE(3, 3, 10, 3, 7, 20, 7, 3, 30, 5, 6, 40); /* 5 and 6: nobody's */
	EXPECT(tree_parses() && tree_hw.distances_told);
	EXPECT_EQ(tree_hw.distance[0][1], 20);
	EXPECT_EQ(tree_hw.distance[1][0], 30);
	MAKE(3, 3, 10);
	EXPECT(tree_parses() && tree_hw.distances_told);
	EXPECT_EQ(tree_hw.distance[0][1], UNREACHABLE);
}

UNIT_TEST(fdt_distances_that_lie)
{
	static const char want[] = "fdt: the distance-map has distances below 10, or not 10 from a node to itself, or no end";
	static const u32 lies[][4] = { { 3, 7, 9 }, { 3, 3, 20 }, { 3, 7, 10 }, { 3, 7, 256 }, { 3, 7, 20, 5 } };

	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		make(lies[i], i == 4 ? 4 : 3);
		EXPECT(tree_parses() && !tree_hw.distances_told);
		EXPECT_STR(tree_hw.warning, want);
	}
}

UNIT_TEST(fdt_16550)
{
	MAKE(3, 7, 20);
	EXPECT(tree_parses());
	EXPECT_EQ(tree_hw.console.kind, CONSOLE_16550);
	EXPECT_EQ(tree_hw.console.address, 0xb0000);
	EXPECT(tree_hw.console.stride == 4 && tree_hw.console.width == 1 && !tree_hw.console.port);
}

UNIT_TEST(fdt_topology_random_mutations)
{
	struct blob valid;
	u64 seed = 11;

	MAKE(3, 7, 20);
	valid = tree;
	for (unsigned round = 0; round < 20000 && !unit_failures(); round++) {
		tree = valid;
		for (unsigned n = 0; n <= round % 4; n++)
			blob_mutate(&tree, &seed);
		tree_parses();
		for (unsigned i = 0; i < tree_hw.nr_cpus; i++)
			EXPECT(tree_hw.place[i].at[LEVEL_NODE] == NOT_TOLD || tree_hw.place[i].at[LEVEL_NODE] < tree_hw.nr_nodes);
	}
}
