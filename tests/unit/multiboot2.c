/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/multiboot2.c boot/efi_map.c boot/mem_map.c tests/unit/host/firmware.c */
/* Multiboot2 information as GRUB leaves it, cut off, corrupted and lying. */
#include "boot_info.h"
#include "host/firmware.h"
#include "unit.h"

enum { CMDLINE = 1, LOADER = 2, MMAP = 6, RSDP_V1 = 14, RSDP_V2 = 15, EFI_MMAP = 17 };

static struct blob blob, valid;
static struct boot_info info;

static void begin(void)
{
	blob.n = 0;
	blob_put(&blob, 8, 0);
}

static void tag(u32 type, u32 size)
{
	blob_align(&blob, 8);
	blob_put(&blob, 4, type);
	blob_put(&blob, 4, size);
}

static void tag_text(u32 type, const char *text, size_t n)
{
	tag(type, (u32)(8 + n));
	blob_text(&blob, text, n);
}

static void end(void)
{
	tag(0, 8);
	blob_set(&blob, 0, 4, blob.n);
}

static void e820(u64 start, u64 bytes, u32 type)
{
	blob_put(&blob, 8, start);
	blob_put(&blob, 8, bytes);
	blob_put(&blob, 8, type);
}

static void efi(u32 type, u64 start, u64 pages)
{
	blob_put(&blob, 8, type);
	blob_put(&blob, 8, start);
	blob_put(&blob, 8, 0);
	blob_put(&blob, 8, pages);
	blob_put(&blob, 8, 0xf);
	blob_put(&blob, 8, 0); /* firmware's descriptors are longer than the specification's */
}

static void tag_mmap(void)
{
	tag(MMAP, 16 + 5 * 24);
	blob_put(&blob, 4, 24);
	blob_put(&blob, 4, 0);
	e820(0x100000, 0x7ee0000, 1);
	e820(0, 0x9fc00, 1);
	e820(0x9fc00, 0x400, 2);
	e820(0x7fe0000, 0x20000, 3);
	e820(0xfffc0000, 0x40000, 2);
}

static void tag_efi_mmap(void)
{
	tag(EFI_MMAP, 16 + 6 * 48);
	blob_put(&blob, 4, 48);
	blob_put(&blob, 4, 1);
	efi(3, 0, 0x9f);
	efi(7, 0x100000, 0x700);
	efi(10, 0x800000, 8);
	efi(2, 0x808000, 8);
	efi(0, 0x810000, 0xf0);
	efi(11, 0xffc00000, 0x400);
}

/* On an exact copy. */
static bool parse(const struct blob *b)
{
	void *exact = unit_exact(b->b, b->n);

	multiboot2_parse(exact, b->n, &info);
	free(exact);
	expect_sane_boot_info(&info);
	return !info.error;
}

static void make_valid(void)
{
	begin();
	tag(21, 12);
	blob_put(&blob, 4, 0x200000);
	tag_text(CMDLINE, "tlb=ipi bench=all", 18);
	tag_text(LOADER, "GRUB 2.06", 10);
	tag_mmap();
	tag_text(RSDP_V1, "RSD PTR version one!", 20);
	tag_text(RSDP_V2, "RSD PTR version two, which is longer", 36);
	tag_efi_mmap();
	end();
	valid = blob;
}

static void expect_range(unsigned i, u64 start, u64 bytes_end, enum mem_kind kind)
{
	EXPECT_EQ(info.map.range[i].start.raw, start);
	EXPECT_EQ(info.map.range[i].end.raw, bytes_end);
	EXPECT_EQ(info.map.range[i].kind, kind);
}

UNIT_TEST(multiboot2_valid)
{
	make_valid();
	EXPECT(parse(&valid));
	EXPECT_STR(info.protocol, "multiboot2");
	EXPECT_STR(info.cmdline, "tlb=ipi bench=all");
	EXPECT_STR(info.loader, "GRUB 2.06");
	EXPECT_EQ(info.rsdp_bytes, 36);
	EXPECT(memcmp(info.rsdp_copy, "RSD PTR version two, which is longer", 36) == 0);
	EXPECT_EQ(info.map.nr, 5);
	expect_range(0, 0, 0x9fc00, MEM_USABLE);
	expect_range(1, 0x9fc00, 0xa0000, MEM_RESERVED);
	expect_range(2, 0x100000, 0x7fe0000, MEM_USABLE);
	expect_range(3, 0x7fe0000, 0x8000000, MEM_ACPI);
	expect_range(4, 0xfffc0000, 0x100000000, MEM_RESERVED);
}

UNIT_TEST(multiboot2_efi_map_alone)
{
	begin();
	tag_efi_mmap();
	tag_text(RSDP_V1, "RSD PTR version one!", 20);
	end();
	EXPECT(parse(&blob));
	EXPECT_EQ(info.rsdp_bytes, 20);
	EXPECT_EQ(info.map.nr, 6);
	expect_range(0, 0, 0x9f000, MEM_USABLE);
	expect_range(1, 0x100000, 0x800000, MEM_USABLE);
	expect_range(2, 0x800000, 0x808000, MEM_ACPI);
	expect_range(3, 0x808000, 0x810000, MEM_USABLE);
	expect_range(4, 0x810000, 0x900000, MEM_RESERVED);
	expect_range(5, 0xffc00000, 0x100000000, MEM_RESERVED);
	EXPECT_STR(info.cmdline, "");
	EXPECT_STR(info.loader, "");
}

UNIT_TEST(multiboot2_more_bytes_than_said)
{
	make_valid();
	blob = valid;
	blob_text(&blob, "whatever comes after it", 24);
	EXPECT(parse(&blob));
	EXPECT_EQ(info.map.nr, 5);
}

UNIT_TEST(multiboot2_every_truncation_is_an_error)
{
	size_t n;

	make_valid();
	for (n = 0; n < valid.n; n++) {
		blob = valid;
		blob.n = n;
		EXPECT(!parse(&blob));
		if (n < 4)
			continue;
		blob_set(&blob, 0, 4, n); /* and one that lies about it */
		EXPECT(!parse(&blob));
	}
}

/* There is no checksum: nothing can be demanded but that the result makes sense. */
UNIT_TEST(multiboot2_every_byte_corrupted)
{
	unsigned value;
	size_t at;

	make_valid();
	for (at = 0; at < valid.n && !unit_failures(); at++) {
		blob = valid;
		for (value = 0; value < 256; value++) {
			blob.b[at] = (u8)value;
			parse(&blob);
		}
	}
}

UNIT_TEST(multiboot2_random_mutations)
{
	u64 seed = 1;
	unsigned round, n, good = 0;

	make_valid();
	for (round = 0; round < 100000 && !unit_failures(); round++) {
		blob = valid;
		for (n = 1 + (unsigned)random_of(&seed, 6); n; n--)
			blob_mutate(&blob, &seed);
		if (blob.n >= 4 && random_of(&seed, 2))
			blob_set(&blob, 0, 4, blob.n);
		good += parse(&blob);
	}
	EXPECT(good > 1000 && good < 99000); /* they are neither all harmless nor all hopeless */
}

static void expect_error(const char *want)
{
	end();
	EXPECT(!parse(&blob));
	EXPECT_STR(info.error, want);
}

UNIT_TEST(multiboot2_lies)
{
	static char long_line[4096];
	unsigned i;

	begin();
	tag(3, 0); /* would never move on */
	expect_error("multiboot2: a tag's size does not fit into the information");
	begin();
	tag(3, 7);
	expect_error("multiboot2: a tag's size does not fit into the information");
	begin();
	tag(3, 0xffffffff);
	expect_error("multiboot2: a tag's size does not fit into the information");
	begin();
	tag(3, 0xfffffff9); /* aligned up it would be 0 in 32 bits */
	expect_error("multiboot2: a tag's size does not fit into the information");
	begin();
	expect_error("multiboot2: the loader gave no memory map (tag 6 or 17)");
	begin();
	tag_text(CMDLINE, "not terminated", 14);
	expect_error("multiboot2: the command line does not end, or is longer than 2047 bytes");
	begin();
	tag(CMDLINE, 8);
	expect_error("multiboot2: the command line does not end, or is longer than 2047 bytes");
	memset(long_line, 'a', sizeof(long_line));
	long_line[2048] = '\0';
	begin();
	tag_text(CMDLINE, long_line, 2049);
	expect_error("multiboot2: the command line does not end, or is longer than 2047 bytes");
	for (i = 0; i < 20; i += 4) { /* entries too small, of no size, and a piece left over */
		begin();
		tag(MMAP, 16 + 24);
		blob_put(&blob, 8, i);
		e820(0, 4096, 1);
		expect_error("multiboot2: the memory map's tag has a wrong size");
	}
	begin();
	tag(MMAP, 16 + 30);
	blob_put(&blob, 8, 24);
	e820(0, 4096, 1);
	blob_put(&blob, 6, 0);
	expect_error("multiboot2: the memory map's tag has a wrong size");
	begin();
	tag(MMAP, 16 + 24);
	blob_put(&blob, 8, 24);
	e820(0x1000, ~0ull, 1);
	expect_error("multiboot2: a range of the memory map ends before it starts");
	begin();
	tag(EFI_MMAP, 16 + 48);
	blob_put(&blob, 8, 48);
	efi(7, 0x1000, 1ull << 52); /* times 4096 is 0 */
	expect_error("multiboot2: a range of the memory map ends before it starts");
}

UNIT_TEST(multiboot2_too_many_ranges)
{
	unsigned i;

	begin();
	tag(MMAP, 16 + 200 * 24);
	blob_put(&blob, 8, 24);
	for (i = 0; i < 200; i++)
		e820(i * 0x10000, 0x1000, 1);
	expect_error("multiboot2: the memory map has too many ranges");
}

UNIT_TEST(multiboot2_longest_strings)
{
	static char text[2048];

	memset(text, 'a', sizeof(text) - 1);
	begin();
	tag_text(CMDLINE, text, sizeof(text));
	tag_text(LOADER, text, 100);
	tag_mmap();
	end();
	EXPECT(parse(&blob));
	EXPECT_EQ(strlen(info.cmdline), 2047);
	EXPECT_EQ(strlen(info.loader), 63);
}
