/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/pvh.c boot/mem_map.c tests/unit/host/firmware.c */
/* PVH start info as QEMU leaves it, cut off, corrupted and lying. */
#include "boot_info.h"
#include "host/firmware.h"
#include "unit.h"

#define START_PA 0x6000
#define CMDLINE_PA 0x7000
#define MAP_PA 0xfffff000ull

static struct blob start, cmdline, map;
static struct blob *const pieces[] = { &start, &cmdline, &map, NULL };
static struct boot_info info;

static void e820(u64 from, u64 bytes, u32 type)
{
	blob_put(&map, 8, from);
	blob_put(&map, 8, bytes);
	blob_put(&map, 8, type);
}

static void make_valid(void)
{
	start.pa = START_PA;
	cmdline.pa = CMDLINE_PA;
	map.pa = MAP_PA;
	start.n = cmdline.n = map.n = 0;
	blob_put(&start, 4, 0x336ec578);
	blob_put(&start, 4, 1); /* version */
	blob_put(&start, 8, 0); /* flags, modules */
	blob_put(&start, 8, 0); /* list of modules */
	blob_put(&start, 8, CMDLINE_PA);
	blob_put(&start, 8, 0xf5a30);
	blob_put(&start, 8, MAP_PA);
	blob_put(&start, 4, 4);
	blob_put(&start, 4, 0);
	blob_text(&cmdline, "tlb=ipi \"a b\"", 14);
	e820(0, 0x9fc00, 1);
	e820(0xf0000, 0x10000, 2);
	e820(0x100000, 0x7f00000, 1);
	e820(0x7fe0000, 0x1000, 4);
	phys_is(pieces);
}

static bool parse(void)
{
	pvh_parse(PA(START_PA), phys_read, &info);
	phys_free_reads();
	expect_sane_boot_info(&info);
	return !info.error;
}

static void expect_error(const char *want)
{
	EXPECT(!parse());
	EXPECT_STR(info.error, want);
	make_valid();
}

UNIT_TEST(pvh_valid)
{
	make_valid();
	EXPECT(parse());
	EXPECT_STR(info.protocol, "pvh");
	EXPECT_STR(info.cmdline, "tlb=ipi \"a b\"");
	EXPECT_STR(info.loader, "");
	EXPECT_EQ(info.rsdp.raw, 0xf5a30);
	EXPECT_EQ(info.rsdp_bytes, 0);
	EXPECT_EQ(info.map.nr, 5); /* the last range lies inside the one before */
	EXPECT_EQ(info.map.range[3].kind, MEM_ACPI);
	EXPECT_EQ(info.map.range[3].start.raw, 0x7fe0000);
	EXPECT_EQ(info.map.range[4].end.raw, 0x8000000);
}

UNIT_TEST(pvh_no_command_line)
{
	make_valid();
	blob_set(&start, 24, 8, 0);
	EXPECT(parse());
	EXPECT_STR(info.cmdline, "");
}

UNIT_TEST(pvh_later_versions)
{
	make_valid();
	blob_set(&start, 4, 4, 7);
	EXPECT(parse());
}

UNIT_TEST(pvh_version_0)
{
	make_valid();
	blob_set(&start, 4, 4, 0);
	start.n = 40; /* it ends before the memory map */
	expect_error("pvh: start info version 0 has no memory map; version 1 is needed");
}

UNIT_TEST(pvh_every_truncation_is_an_error)
{
	static struct blob *const all[] = { &start, &cmdline, &map };
	size_t i, n, whole;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		make_valid();
		for (n = 0, whole = all[i]->n; n < whole; n++) {
			all[i]->n = n;
			EXPECT(!parse());
		}
	}
}

UNIT_TEST(pvh_every_byte_corrupted)
{
	static struct blob *const all[] = { &start, &cmdline, &map };
	unsigned value;
	size_t i, at;
	u8 was;

	make_valid();
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		for (at = 0; at < all[i]->n && !unit_failures(); at++) {
			was = all[i]->b[at];
			for (value = 0; value < 256; value++) {
				all[i]->b[at] = (u8)value;
				/* The magic is the only thing there that can be proved. */
				if (!parse())
					continue;
				EXPECT(i != 0 || at >= 4 || value == was);
			}
			all[i]->b[at] = was;
		}
	}
}

UNIT_TEST(pvh_random_mutations)
{
	unsigned round, n, good = 0;
	u64 seed = 2;

	for (round = 0; round < 50000 && !unit_failures(); round++) {
		make_valid();
		for (n = 1 + (unsigned)random_of(&seed, 4); n; n--)
			blob_mutate(pieces[random_of(&seed, 3)], &seed);
		good += parse();
	}
	EXPECT(good > 1000 && good < 49000);
}

UNIT_TEST(pvh_lies)
{
	make_valid();
	pvh_parse(PA(0x1234), phys_read, &info);
	EXPECT_STR(info.error, "pvh: there is no start info where the loader says");
	blob_set(&start, 24, 8, 0xdead0000);
	expect_error("pvh: the command line cannot be read");
	blob_set(&start, 24, 8, ~0ull);
	expect_error("pvh: the command line cannot be read");
	cmdline.n = 0;
	while (cmdline.n < 3000)
		blob_put(&cmdline, 1, 'a');
	expect_error("pvh: the command line is longer than 2047 bytes");
	blob_set(&start, 40, 8, 0);
	expect_error("pvh: the memory map has no entries, or too many");
	blob_set(&start, 48, 4, 0);
	expect_error("pvh: the memory map has no entries, or too many");
	blob_set(&start, 48, 4, 0xffffffff);
	expect_error("pvh: the memory map has no entries, or too many");
	blob_set(&start, 48, 4, 5);
	expect_error("pvh: the memory map cannot be read");
	blob_set(&start, 40, 8, ~0ull - 10);
	expect_error("pvh: the memory map cannot be read");
	blob_set(&map, 8, 8, ~0ull);
	blob_set(&map, 0, 8, 1);
	expect_error("pvh: a range of the memory map ends before it starts");
	blob_set(&start, 40, 8, START_PA); /* a map made of the start info itself: garbage, but in bounds */
	blob_set(&start, 48, 4, 2);
	parse();
}

UNIT_TEST(pvh_too_many_ranges)
{
	unsigned i;

	make_valid();
	map.n = 0;
	for (i = 0; i < 300; i++)
		e820(i * 0x10000, 0x1000, 1);
	blob_set(&start, 48, 4, 300);
	expect_error("pvh: the memory map has too many ranges");
}
