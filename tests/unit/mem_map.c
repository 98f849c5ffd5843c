/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/mem_map.c */
/* The memory map against an array with one entry per page. */
#include "boot_info.h"
#include "unit.h"

#define PAGES 200
#define NOTHING (-1)

static int model[PAGES];
static struct mem_map map;
static u64 seed = 9;

static u64 any(u64 n)
{
	return random_of(&seed, n);
}

static void clear(void)
{
	unsigned i;

	for (i = 0; i < PAGES; i++)
		model[i] = NOTHING;
	memset(&map, 0xa5, sizeof(map));
	map.nr = 0;
}

static bool add(unsigned start, unsigned end, enum mem_kind kind)
{
	unsigned i;

	for (i = start; i < end; i++)
		model[i] = MAX(model[i], (int)kind);
	return mem_map_add(&map, PA(start), PA(end), kind);
}

/* Same contents, sorted, disjoint, and no two neighbours that could be one. */
static void expect_same(void)
{
	unsigned i, page = 0;

	for (i = 0; i < map.nr; i++) {
		const struct mem_range *r = &map.range[i];

		EXPECT(r->start.raw < r->end.raw && r->end.raw <= PAGES && r->start.raw >= page);
		if (unit_failures())
			return;
		for (; page < r->start.raw; page++)
			EXPECT_EQ(model[page], NOTHING);
		for (; page < r->end.raw; page++)
			EXPECT_EQ(model[page], r->kind);
		EXPECT(i == 0 || r[-1].end.raw != r->start.raw || r[-1].kind != r->kind);
	}
	for (; page < PAGES; page++)
		EXPECT_EQ(model[page], NOTHING);
}

UNIT_TEST(mem_map_as_an_array)
{
	unsigned round, n, start;

	for (round = 0; round < 30000 && !unit_failures(); round++) {
		clear();
		for (n = (unsigned)any(40); n; n--) {
			start = (unsigned)any(PAGES);
			EXPECT(add(start, start + (unsigned)any(PAGES - start + 1), (enum mem_kind)any(3)));
			expect_same();
		}
	}
}

UNIT_TEST(mem_map_worse_wins_in_any_order)
{
	clear();
	EXPECT(add(10, 20, MEM_RESERVED));
	EXPECT(add(0, 100, MEM_USABLE));
	EXPECT(add(15, 30, MEM_ACPI));
	expect_same();
	EXPECT_EQ(map.nr, 4); /* 0 usable 10 reserved 20 acpi 30 usable 100 */
	EXPECT_EQ(map.range[1].kind, MEM_RESERVED);
	EXPECT_EQ(map.range[2].start.raw, 20);
}

UNIT_TEST(mem_map_neighbours_join)
{
	clear();
	EXPECT(add(0, 10, MEM_USABLE));
	EXPECT(add(20, 30, MEM_USABLE));
	EXPECT_EQ(map.nr, 2);
	EXPECT(add(10, 20, MEM_USABLE));
	EXPECT_EQ(map.nr, 1);
	EXPECT_EQ(map.range[0].end.raw, 30);
	EXPECT(add(30, 40, MEM_ACPI));
	EXPECT_EQ(map.nr, 2);
}

UNIT_TEST(mem_map_empty_ranges)
{
	clear();
	EXPECT(mem_map_add(&map, PA(5), PA(5), MEM_USABLE));
	EXPECT(mem_map_add(&map, PA(5), PA(4), MEM_USABLE));
	EXPECT_EQ(map.nr, 0);
}

/* A map in the heap, full: nothing is written behind it, and false says so. One range over all of them needs no room. */
UNIT_TEST(mem_map_full)
{
	struct mem_map *full = calloc(1, sizeof(*full));
	unsigned i;

	for (i = 0; i < MAX_MEM_RANGES; i++)
		EXPECT(mem_map_add(full, PA(i * 10), PA(i * 10 + 5), MEM_USABLE));
	EXPECT(!mem_map_add(full, PA(1000000), PA(1000001), MEM_USABLE));
	EXPECT(!mem_map_add(full, PA(11), PA(12), MEM_RESERVED));
	EXPECT(!mem_map_add(full, PA(6), PA(7), MEM_USABLE));
	EXPECT_EQ(full->nr, MAX_MEM_RANGES);
	EXPECT(mem_map_add(full, PA(10), PA(15), MEM_RESERVED));
	EXPECT_EQ(full->range[1].kind, MEM_RESERVED);
	free(full);
	full = calloc(1, sizeof(*full));
	for (i = 0; i < MAX_MEM_RANGES - 1; i++)
		EXPECT(mem_map_add(full, PA(i * 10), PA(i * 10 + 5), MEM_USABLE));
	EXPECT(mem_map_add(full, PA(0), PA(MAX_MEM_RANGES * 10), MEM_RESERVED));
	EXPECT_EQ(full->nr, 1);
	free(full);
}

UNIT_TEST(mem_map_top_of_the_address_space)
{
	clear();
	EXPECT(mem_map_add(&map, PA(~0ull - 10), PA(~0ull), MEM_RESERVED));
	EXPECT(mem_map_add(&map, PA(0), PA(~0ull), MEM_USABLE));
	EXPECT_EQ(map.nr, 2);
	EXPECT_EQ(map.range[0].end.raw, ~0ull - 10);
}
