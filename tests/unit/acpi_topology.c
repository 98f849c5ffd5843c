/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/acpi*.c boot/hw_info.c tests/unit/host/acpi_tables.c tests/unit/host/firmware.c */
/* PPTT, SRAT and SLIT: as two machines have them, by hand, cut off, and lying. */
#include "host/acpi_tables.h"
#include "host/q35_tables.h"
#include "host/virt_tables.h"
#include "unit.h"

static struct blob madt, pptt, srat, slit;
static struct blob *const x86[] = { &srat, &slit, &madt, NULL }, *const arm64[] = { &slit, &srat, &pptt, &madt, NULL };

static void make_x86(void)
{
	table_of(&madt, 0x7fe2000, q35_apic, sizeof(q35_apic));
	table_of(&srat, 0x7fe3000, q35_srat, sizeof(q35_srat));
	table_of(&slit, 0x7fe4000, q35_slit, sizeof(q35_slit));
	tables_are(true, x86);
}

static void make_arm64(void)
{
	table_of(&madt, 0x7fe2000, virt_apic, sizeof(virt_apic));
	table_of(&srat, 0x7fe3000, virt_srat, sizeof(virt_srat));
	table_of(&slit, 0x7fe4000, virt_slit, sizeof(virt_slit));
	table_of(&pptt, 0x7fe5000, virt_pptt, sizeof(virt_pptt));
	tables_are(true, arm64);
}

static bool share(unsigned a, unsigned b, enum level level)
{
	return acpi_info.place[a].at[level] == acpi_info.place[b].at[level];
}

static void expect_nodes(void)
{
	EXPECT_STR(acpi_info.nodes_by, "srat");
	EXPECT_EQ(acpi_info.nr_nodes, 2);
	for (unsigned cpu = 0; cpu < 4; cpu++)
		EXPECT_EQ(acpi_info.domain[acpi_info.place[cpu].at[LEVEL_NODE]], cpu / 2);
	EXPECT(acpi_info.distances_told);
	EXPECT_EQ(acpi_info.distance[0][1], 23);
	EXPECT_EQ(acpi_info.distance[1][1], 10);
}

/* Without PPTT: there CPUID says more. */
UNIT_TEST(topology_of_q35)
{
	make_x86();
	EXPECT(acpi_parses() && !acpi_info.warning);
	expect_nodes();
	EXPECT(!acpi_info.places_by);
	EXPECT_EQ(acpi_info.place[0].at[LEVEL_CORE], NOT_TOLD);
	EXPECT_EQ(acpi_info.nr_node_ranges, 3); /* the hole below 1 MiB is none's */
	EXPECT_EQ(acpi_info.node_range[0].end.raw, 0xa0000);
	EXPECT_EQ(acpi_info.node_range[2].start.raw, 0x8000000);
	EXPECT_EQ(acpi_info.node_range[2].end.raw, 0x10000000);
}

UNIT_TEST(topology_of_virt)
{
	make_arm64();
	EXPECT(acpi_parses() && !acpi_info.warning);
	expect_nodes();
	EXPECT_STR(acpi_info.places_by, "pptt");
	EXPECT_EQ(acpi_info.nr_node_ranges, 2);
	for (unsigned a = 0; a < 4; a++) {
		EXPECT_EQ(acpi_info.place[a].at[LEVEL_THREAD], a % 2);
		for (unsigned b = 0; b < 4; b++)
			for (unsigned level = LEVEL_NODE; level <= LEVEL_CORE; level++)
				EXPECT_EQ(share(a, b, level), a / 2 == b / 2);
	}
}

/* Returns its offset. */
static u32 hierarchy(u32 flags, u32 parent, u32 uid)
{
	u32 at = (u32)pptt.n;

	blob_put(&pptt, 4, 20 << 8);
	blob_put(&pptt, 4, flags);
	blob_put(&pptt, 4, parent);
	blob_put(&pptt, 4, uid);
	blob_put(&pptt, 4, 0);
	return at;
}

#define PACKAGE 1
#define UID 2
#define THREAD 4
#define LEAF 8

/* Package, two levels of clusters, cores without threads; caches between; a container with a CPU's number; CPUs that nobody has. */
UNIT_TEST(topology_of_clusters)
{
	u32 package, outer, inner[2];

	make_arm64();
	table_begin(&pptt, 0x7fe5000, "PPTT");
	package = hierarchy(PACKAGE | UID, 0, 2); /* its number is that of CPU 2 by chance */
	blob_put(&pptt, 8, 24 << 8 | 1); /* a cache */
	blob_put(&pptt, 8, 0);
	blob_put(&pptt, 8, 0);
	outer = hierarchy(0, package, 0);
	inner[0] = hierarchy(0, outer, 0);
	inner[1] = hierarchy(0, outer, 0);
	for (u32 uid = 0; uid < 6; uid++)
		hierarchy(UID | LEAF, inner[uid % 2], uid);
	table_finish(&pptt);
	EXPECT(acpi_parses() && !acpi_info.warning);
	for (unsigned a = 0; a < 4; a++) {
		EXPECT_EQ(acpi_info.place[a].at[LEVEL_THREAD], 0);
		EXPECT_EQ(acpi_info.place[a].at[LEVEL_PACKAGE], package);
		EXPECT_EQ(acpi_info.place[a].at[LEVEL_COMPLEX], inner[a % 2]);
		for (unsigned b = 0; b < a; b++)
			EXPECT(!share(a, b, LEVEL_CORE));
	}
	pptt.b[8] = 1; /* revision 1 has no flag for leaves: the container is none because it has children */
	table_finish(&pptt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.place[2].at[LEVEL_COMPLEX], inner[0]);
}

/* Packages of one core are core, complex and package; what is no package anywhere ends where there is no parent. */
UNIT_TEST(topology_of_single_cores)
{
	u32 core, top;

	make_arm64();
	table_begin(&pptt, 0x7fe5000, "PPTT");
	hierarchy(PACKAGE | UID | LEAF, 0, 0);
	core = hierarchy(PACKAGE, 0, 0);
	hierarchy(UID | LEAF | THREAD, core, 1);
	hierarchy(UID | LEAF | THREAD, core, 2);
	top = hierarchy(0, 0, 0);
	hierarchy(UID | LEAF, top, 3);
	table_finish(&pptt);
	EXPECT(acpi_parses() && !acpi_info.warning);
	for (unsigned level = LEVEL_PACKAGE; level <= LEVEL_CORE; level++) {
		EXPECT_EQ(acpi_info.place[0].at[level], 36);
		EXPECT_EQ(acpi_info.place[1].at[level], core);
		EXPECT_EQ(acpi_info.place[2].at[level], core);
	}
	EXPECT_EQ(acpi_info.place[2].at[LEVEL_THREAD], 1);
	EXPECT_EQ(acpi_info.place[3].at[LEVEL_PACKAGE], top);
	EXPECT_EQ(acpi_info.place[3].at[LEVEL_COMPLEX], top);
}

static void expect_no_places(const char *warning)
{
	table_finish(&pptt);
	EXPECT(acpi_parses());
	EXPECT_STR(acpi_info.warning, warning);
	EXPECT(!acpi_info.places_by);
	EXPECT_EQ(acpi_info.place[0].at[LEVEL_CORE], NOT_TOLD);
	EXPECT_EQ(acpi_info.nr_nodes, 2); /* SRAT counts all the same */
	make_arm64();
}

UNIT_TEST(topology_pptt_lies)
{
	static const char nowhere[] = "acpi: an entry of table PPTT is too short, or its parents lead nowhere";
	static const u32 parents[] = { 35, 1, 0x7fffffff, 0xffffffff, 0xec, 0xe0 };

	make_arm64();
	blob_set(&pptt, 36 + 8, 4, 0x38); /* the socket's parent is its cluster: a loop */
	blob_set(&pptt, 36 + 4, 4, 0);
	expect_no_places(nowhere);
	blob_set(&pptt, 0x60 + 8, 4, 0x60); /* a thread is its own parent */
	expect_no_places(nowhere);
	for (size_t i = 0; i < ARRAY_SIZE(parents); i++) {
		blob_set(&pptt, 0x60 + 8, 4, parents[i]);
		expect_no_places(nowhere);
	}
	blob_put(&pptt, 4, 4 << 8);
	expect_no_places(nowhere);
	blob_put(&pptt, 4, 20 << 8);
	expect_no_places("acpi: an entry of table PPTT does not fit into it");
}

/* Ids in no order and with gaps, ids that are not listed, domains with gaps, entries that are off. */
UNIT_TEST(topology_of_sparse_ids)
{
	static const struct {
		u32 id, domain, flags;
	} cpus[] = { { 0x80, 0x01000007, 1 }, { 0x20, 3, 1 }, { 0x81, 0x01000007, 1 }, { 0x44, 9, 1 }, { 0x21, 5, 0 } };

	make_x86();
	table_begin(&madt, 0x7fe2000, "APIC");
	blob_put(&madt, 8, 0x1fee00000);
	blob_put(&madt, 8, 0x0000000121000800); /* APIC id 0x21, then 0x81, 0x20, 0x80 */
	blob_put(&madt, 8, 0x0000000181000800);
	blob_put(&madt, 8, 0x0000000120000800);
	blob_put(&madt, 8, 0x0000000180000800);
	blob_put(&madt, 8, 0x0000000044000800); /* disabled */
	table_finish(&madt);
	table_begin(&srat, 0x7fe3000, "SRAT");
	blob_put(&srat, 8, 1);
	blob_put(&srat, 4, 0);
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		blob_put(&srat, 4, 16 << 8 | (cpus[i].domain & 0xff) << 16 | cpus[i].id << 24);
		blob_put(&srat, 4, cpus[i].flags);
		blob_put(&srat, 4, cpus[i].domain & 0xffffff00);
		blob_put(&srat, 4, 0);
	}
	blob_put(&srat, 8, 24 << 8 | 9ull << 32); /* x2APIC: the same once more, elsewhere */
	blob_put(&srat, 8, 1ull << 32 | 0x80);
	blob_put(&srat, 8, 0);
	table_finish(&srat);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.nr_cpus, 4);
	EXPECT_EQ(acpi_info.nr_disabled, 1);
	EXPECT_EQ(acpi_info.place[0].at[LEVEL_NODE], NOT_TOLD); /* id 0x21: its entry is off */
	EXPECT_EQ(acpi_info.domain[acpi_info.place[1].at[LEVEL_NODE]], 0x01000007);
	EXPECT_EQ(acpi_info.domain[acpi_info.place[2].at[LEVEL_NODE]], 3);
	EXPECT_EQ(acpi_info.place[3].at[LEVEL_NODE], acpi_info.place[1].at[LEVEL_NODE]);
	EXPECT_EQ(acpi_info.domain[0], 3); /* in the order of their numbers */
	EXPECT_EQ(acpi_info.distance[0][1], UNREACHABLE); /* SLIT has domains 0 and 1 only */
	srat.b[8] = 1; /* revision 1: the upper bits are reserved */
	table_finish(&srat);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.domain[acpi_info.place[1].at[LEVEL_NODE]], 7);
}

static void expect_no_nodes(const char *warning)
{
	table_finish(&srat);
	EXPECT(acpi_parses());
	EXPECT_STR(acpi_info.warning, warning);
	EXPECT(!acpi_info.nr_nodes && !acpi_info.nr_node_ranges && !acpi_info.distances_told && !acpi_info.nodes_by);
	EXPECT_EQ(acpi_info.place[0].at[LEVEL_NODE], NOT_TOLD);
	make_x86();
}

UNIT_TEST(topology_srat_lies)
{
	static const u8 lengths[] = { 16, 40, 24, 18 };

	make_x86();
	for (u32 type = 0; type < ARRAY_SIZE(lengths); type++) {
		blob_put(&srat, lengths[type] - 1u, (lengths[type] - 1u) << 8 | type);
		expect_no_nodes("acpi: an entry of table SRAT is too short, or its memory ends before it starts");
	}
	srat.n = 47;
	expect_no_nodes("acpi: table SRAT has a wrong length");
	blob_put(&srat, 2, 2);
	expect_no_nodes("acpi: an entry of table SRAT does not fit into it");
	blob_put(&srat, 8, 40 << 8 | 1);
	blob_put(&srat, 8, 0x1000);
	blob_put(&srat, 8, 0xfffffffffffff001);
	blob_put(&srat, 8, 1ull << 32);
	blob_put(&srat, 8, 0);
	expect_no_nodes("acpi: an entry of table SRAT is too short, or its memory ends before it starts");
}

static void memory_of_nodes(u32 ranges, u32 nodes)
{
	make_x86();
	table_begin(&srat, 0x7fe3000, "SRAT");
	blob_put(&srat, 8, 1);
	blob_put(&srat, 4, 0);
	for (u32 i = 0; i < ranges; i++) {
		blob_put(&srat, 2, 40 << 8 | 1);
		blob_put(&srat, 6, i % nodes);
		blob_put(&srat, 8, i * 0x100000ull);
		blob_put(&srat, 8, 0x100000);
		blob_put(&srat, 8, 1ull << 32);
		blob_put(&srat, 8, 0);
	}
	table_finish(&srat);
	EXPECT(acpi_parses());
}

UNIT_TEST(topology_more_than_the_limits)
{
	memory_of_nodes(MAX_NODE_RANGES, MAX_NODES);
	EXPECT(!acpi_info.warning);
	memory_of_nodes(MAX_NODE_RANGES + 1, MAX_NODES);
	EXPECT_EQ(acpi_info.nr_node_ranges, MAX_NODE_RANGES);
	EXPECT_STR(acpi_info.warning,
		   "firmware tells of more than 128 ranges of nodes' memory; those beyond are not known to be a node's");
	memory_of_nodes(70, 70);
	EXPECT_EQ(acpi_info.nr_nodes, MAX_NODES);
	EXPECT_EQ(acpi_info.nr_node_ranges, MAX_NODES);
	EXPECT_STR(acpi_info.warning, "firmware tells of more than 64 nodes; those beyond are not known by number");
}

UNIT_TEST(topology_slit_lies)
{
	static const char bad[] = "acpi: table SLIT has distances below 10, or not 10 from a node to itself";
	static const struct {
		u32 at, bytes;
		u64 value;
		const char *want;
	} lies[] = { { 44, 1, 11, bad }, { 45, 1, 10, bad }, { 46, 1, 0, bad }, { 36, 8, 3, "acpi: table SLIT has a wrong length" },
		     { 36, 8, 1ull << 63 | 2, "acpi: table SLIT has a wrong length" } };

	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		make_x86();
		blob_set(&slit, lies[i].at, lies[i].bytes, lies[i].value);
		table_finish(&slit);
		EXPECT(acpi_parses());
		EXPECT_STR(acpi_info.warning, lies[i].want);
		EXPECT(!acpi_info.distances_told && acpi_info.nr_nodes == 2);
	}
}

/* They can be done without: cut off or corrupted they are a warning, never an error, never a read outside. */
UNIT_TEST(topology_every_truncation_and_byte)
{
	for (size_t i = 0; arm64[i] != &madt; i++) {
		make_arm64();
		for (size_t n = 36, whole = arm64[i]->n; n < whole; n++) {
			arm64[i]->n = n;
			EXPECT(acpi_parses() && acpi_info.warning);
			arm64[i]->n = whole;
		}
		for (size_t at = 4; at < arm64[i]->n && !unit_failures(); at++) {
			arm64[i]->b[at] ^= 0x41;
			EXPECT(acpi_parses() && acpi_info.warning);
			arm64[i]->b[at] ^= 0x41;
		}
	}
}

UNIT_TEST(topology_random_mutations)
{
	unsigned warned = 0;
	u64 seed = 7;

	for (unsigned round = 0; round < 40000 && !unit_failures(); round++) {
		(round % 2 ? make_x86 : make_arm64)();
		tables_mutate(round % 2 ? x86 : arm64, &seed);
		warned += acpi_parses() && acpi_info.warning;
	}
	EXPECT(warned > 1000 && warned < 39000);
}
