/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/boot_memory.c */
/* boot_alloc() against an array with one entry per page: alignment, holes, the image, the first MiB, the end of memory. */
#include "arch/frame.h"
#include "lib/boot_memory.h"
#include "unit.h"

#define PAGES 4096 /* 16 MiB of address space from 0 */
#define LOW_PAGES 256 /* the first MiB */

static bool usable[PAGES]; /* and not handed out */
static struct pa filled;
static u64 filled_bytes;
static u64 seed;

/* The stand-in remembers what was zeroed last. */
void frame_fill(struct pa pa, u64 bytes, u64 value)
{
	EXPECT_EQ(value, 0);
	filled = pa;
	filled_bytes = bytes;
}

/* What boot_alloc_keep() takes for itself is not in the model's memory. */
void *frame_contents(struct pa pa)
{
	static struct boot_memory all;

	(void)pa;
	return &all;
}

static u64 any(u64 n)
{
	return random_of(&seed, n);
}

static void model_init(const struct mem_map *map, u64 image_start, u64 image_end)
{
	u64 page, start, end;
	unsigned i;

	for (page = 0; page < PAGES; page++) {
		start = page * PAGE_SIZE;
		end = start + PAGE_SIZE;
		usable[page] = false;
		for (i = 0; i < map->nr; i++)
			if (map->range[i].kind == MEM_USABLE && start >= map->range[i].start.raw && end <= map->range[i].end.raw)
				usable[page] = page >= LOW_PAGES && (end <= image_start || start >= image_end);
	}
}

static bool fits(u64 at, u64 pages, u64 align)
{
	u64 i;

	if (at * PAGE_SIZE % align || at + pages > PAGES)
		return false;
	for (i = 0; i < pages; i++)
		if (!usable[at + i])
			return false;
	return true;
}

/* The lowest page where it fits; PAGES: nowhere. */
static u64 lowest_fit(u64 pages, u64 align)
{
	u64 at;

	for (at = 0; at < PAGES && !fits(at, pages, align); at++)
		;
	return at;
}

/* Taken, with what alignment skipped below it in the same piece. */
static void take(u64 at, u64 pages)
{
	u64 i;

	for (i = at + pages; i > at; i--)
		usable[i - 1] = false;
	for (; i > 0 && usable[i - 1]; i--)
		usable[i - 1] = false;
}

static void expect_none(u64 bytes, u64 align)
{
	EXPECT_CHECK(boot_alloc(bytes, align));
}

static bool alloc_one(u64 bytes, u64 align)
{
	u64 pages = (bytes + PAGE_SIZE - 1) / PAGE_SIZE, at = lowest_fit(pages, MAX(align, PAGE_SIZE));

	if (at == PAGES) {
		expect_none(bytes, align);
		return false;
	}
	EXPECT_EQ(boot_alloc(bytes, align).raw, at * PAGE_SIZE);
	EXPECT_EQ(filled.raw, at * PAGE_SIZE);
	EXPECT_EQ(filled_bytes, pages * PAGE_SIZE);
	take(at, pages);
	return true;
}

static void random_map(struct mem_map *map)
{
	u64 at = any(2 * PAGE_SIZE), end;

	for (map->nr = 0; map->nr < 12 && at < PAGES * PAGE_SIZE; at = end + any(2) * any(1 << 18)) {
		end = at + 1 + any(1 << 21);
		end = MIN(end, PAGES * PAGE_SIZE);
		map->range[map->nr] = (struct mem_range){ PA(at), PA(end), map->nr % 2 ? (enum mem_kind)any(3) : MEM_USABLE };
		map->nr++;
		end += 2; /* neighbours of the same kind would be one range in a map */
	}
}

UNIT_TEST(boot_alloc_as_an_array)
{
	static struct mem_map map;
	unsigned round, n, failed;
	u64 image, image_end;

	for (round = 0, seed = 21; round < 300 && !unit_failures(); round++) {
		random_map(&map);
		image = any(PAGES * PAGE_SIZE);
		image_end = image + any(1 << 22);
		model_init(&map, image, image_end);
		boot_alloc_init(&map, PA(image), PA(image_end));
		for (n = failed = 0; failed < 3 && n < 3000 && !unit_failures(); n++)
			failed += !alloc_one(1 + any(any(8) ? 2 * PAGE_SIZE : 1 << 20), any(8) ? 1 : 1ull << any(22));
		for (; alloc_one(PAGE_SIZE, 1) && !unit_failures(); n++)
			;
		EXPECT_EQ(lowest_fit(1, PAGE_SIZE), PAGES); /* every page could be had */
	}
}

static void only(u64 start, u64 end)
{
	static struct mem_map map;

	map.nr = 1;
	map.range[0] = (struct mem_range){ PA(start), PA(end), MEM_USABLE };
	boot_alloc_init(&map, PA(0), PA(0));
}

UNIT_TEST(boot_alloc_to_the_last_byte)
{
	only(0x200000, 0x202000);
	EXPECT_EQ(boot_alloc(2 * PAGE_SIZE, 1).raw, 0x200000);
	EXPECT_CHECK(boot_alloc(1, 1));
}

/* Firmware may say anything: no sum wraps round to memory that is not there. */
UNIT_TEST(boot_alloc_at_the_top_of_the_address_space)
{
	only(~0ull - 0x7ff, ~0ull);
	EXPECT_CHECK(boot_alloc(PAGE_SIZE, 1));
	only(~0ull - (4ull << 20), ~0ull);
	EXPECT_CHECK(boot_alloc(PAGE_SIZE, LARGE_SIZE));
}

UNIT_TEST(boot_alloc_more_than_could_ever_be)
{
	only(0x200000, 0x300000);
	EXPECT_CHECK(boot_alloc(-0x200000ull, 1)); /* its end would be address 0 */
	EXPECT_EQ(boot_alloc(PAGE_SIZE, 1).raw, 0x200000);
}

/* A full map that the image cuts has one range more than there is room for: memory is lost, nothing else. */
UNIT_TEST(boot_alloc_of_a_full_map)
{
	static struct mem_map map;
	unsigned i, n;

	map.nr = MAX_MEM_RANGES;
	for (i = 0; i < MAX_MEM_RANGES; i++)
		map.range[i] = (struct mem_range){ PA((i + 1) << 20), PA(((i + 1) << 20) + 3 * PAGE_SIZE), MEM_USABLE };
	boot_alloc_init(&map, PA((1 << 20) + PAGE_SIZE), PA((1 << 20) + 2 * PAGE_SIZE));
	for (n = 0; n < 2 + 3 * (MAX_MEM_RANGES - 2); n++)
		EXPECT((boot_alloc(PAGE_SIZE, 1).raw & 0xfffff) < 3 * PAGE_SIZE);
	EXPECT_CHECK(boot_alloc(PAGE_SIZE, 1));
}

/* What is left is in both, in whole pages. */
UNIT_TEST(boot_alloc_keep_a_part)
{
	struct mem_map map = { 2, { { PA(0x100000), PA(0x300000), MEM_USABLE }, { PA(0x400000), PA(0x500000), MEM_USABLE } } };
	struct mem_map wanted = { 3, { { PA(0x180001), PA(0x1c0000), MEM_USABLE }, { PA(0x2ff000), PA(0x401000), MEM_USABLE },
				       { PA(0x4fffff), PA(0x900000), MEM_USABLE } } };

	boot_alloc_init(&map, PA(0), PA(0));
	boot_alloc_keep(&wanted);
	EXPECT_EQ(machine.boot_memory.nr, 3);
	EXPECT_EQ(machine.boot_memory.free[0].start.raw, 0x181000);
	EXPECT_EQ(machine.boot_memory.free[0].end.raw, 0x1c0000);
	EXPECT_EQ(machine.boot_memory.free[1].start.raw, 0x2ff000);
	EXPECT_EQ(machine.boot_memory.free[1].end.raw, 0x300000);
	EXPECT_EQ(machine.boot_memory.free[2].start.raw, 0x400000);
	EXPECT_EQ(machine.boot_memory.free[2].end.raw, 0x401000);
}
