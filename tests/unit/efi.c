/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/efi*.c boot/fdt*.c third_party/libfdt/?*.c boot/hw_info.c boot/mem_map.c tests/unit/host/tree.c
 * tests/unit/host/firmware.c */
/* What the EFI stub hands over, as AAVMF leaves it, cut off, corrupted and lying. */
#include "boot_info.h"
#include "host/tree.h"
#include "unit.h"

#define HANDOFF_PA 0x7e000000ull
#define MAP_PA 0x7e100000ull
#define OPTIONS_PA 0x7e200000ull
#define CONFIG_PA 0x7e300000ull
#define VENDOR_PA 0x7e400000ull
#define RSDP_PA 0x7fff0014ull
#define DESCRIPTOR 48
#define WB 8

static struct blob handoff, map, options, config, vendor;
static struct blob *const all[] = { &handoff, &map, &options, &config, &vendor, &tree };
static struct blob *const pieces[] = { &handoff, &map, &options, &config, &vendor, &tree, NULL };
static struct boot_info info;
static struct hw_info hw;

static void set(size_t field, u64 value)
{
	blob_set(&handoff, field, 8, value);
}
#define SET(field, value) set(offsetof(struct efi_handoff, field), value)

static void descriptor(u32 type, u64 start, u64 pages, u64 attributes)
{
	blob_put(&map, 8, type);
	blob_put(&map, 8, start);
	blob_put(&map, 8, 0);
	blob_put(&map, 8, pages);
	blob_put(&map, 8, attributes);
	blob_put(&map, 8, 0); /* firmware's are longer than the specification's */
	SET(map_bytes, map.n);
}

static void ucs2(struct blob *b, const char *text)
{
	b->n = 0;
	while (*text)
		blob_put(b, 2, (u8)*text++);
	blob_put(b, 2, 0);
}

static void set_options(const char *text)
{
	ucs2(&options, text);
	SET(options_bytes, options.n);
}

static void set_config(const char *text, size_t n)
{
	config.n = 0;
	blob_text(&config, text, n);
	SET(config_bytes, n);
}
#define CONFIG(text) set_config(text, sizeof(text) - 1)

/* Memory and a command line that are not to be believed, memory that is reserved, CPUs. */
static void make_tree(unsigned cpus, const char *bootargs)
{
	tree_begin();
	tree_node("");
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	tree_node("chosen");
	tree_prop_text("bootargs", bootargs, strlen(bootargs) + 1);
	tree_node_end();
	tree_node("memory@0");
	PROP_TEXT("device_type", "memory");
	REG(0, 0x80000000);
	tree_node_end();
	tree_node("reserved-memory");
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	tree_node("one");
	REG(0x50000000, 0x100000);
	tree_node_end();
	tree_node_end();
	for (unsigned i = 0; i < cpus; i++) {
		tree_node("cpu");
		PROP_TEXT("device_type", "cpu");
		REG(i, 0);
		tree_node_end();
	}
	tree_node_end();
	tree_finish();
}

static void make_valid(void)
{
	static const u64 places[] = { HANDOFF_PA, MAP_PA, OPTIONS_PA, CONFIG_PA, VENDOR_PA };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		all[i]->pa = places[i];
		all[i]->n = 0;
	}
	handoff.n = sizeof(struct efi_handoff);
	memset(handoff.b, 0, handoff.n);
	SET(magic, EFI_HANDOFF_MAGIC);
	SET(map, MAP_PA);
	SET(descriptor_bytes, DESCRIPTOR);
	SET(options, OPTIONS_PA);
	SET(config, CONFIG_PA);
	SET(vendor, VENDOR_PA);
	SET(fdt, TREE_PA);
	SET(rsdp, RSDP_PA);
	SET(secure_boot, EFI_SECURE_OFF);
	ucs2(&vendor, "EDK II");
	set_options("tlb=ipi bench=none");
	CONFIG("tests=all\n");
	make_tree(2, "root=/dev/sda1");
	descriptor(7, 0x40000000, 0x3e000, WB);
	descriptor(11, 0x4000000, 0x4000, 1ull << 63 | 1);
	descriptor(2, 0x7e000000, 0x1000, 0xf);
	descriptor(4, 0x7f000000, 0x800, WB);
	descriptor(6, 0x7f800000, 0x100, 1ull << 63 | WB);
	descriptor(9, 0x7f900000, 0x100, WB);
	descriptor(7, 0x80000000, 0x100, 1); /* not to be cached */
	descriptor(7, 0x90000000, 0x100, 1 << 18 | WB); /* somebody's for a purpose */
	phys_is(pieces);
}

static bool parse(void)
{
	efi_parse(PA(HANDOFF_PA), phys_read, &info, &hw);
	phys_free_reads();
	expect_sane_boot_info(&info);
	return !info.error;
}

static void expect_line(const char *want)
{
	EXPECT(parse());
	EXPECT(!info.line_error);
	EXPECT_STR(info.cmdline, want);
}

static void expect_line_error(const char *want)
{
	EXPECT(parse());
	EXPECT_STR(info.line_error, want);
	make_valid();
}

static void expect_error(const char *want)
{
	EXPECT(!parse());
	EXPECT_STR(info.error, want);
	make_valid();
}

static enum mem_kind kind_at(u64 pa)
{
	for (unsigned i = 0; i < info.map.nr; i++)
		if (info.map.range[i].start.raw <= pa && pa < info.map.range[i].end.raw)
			return info.map.range[i].kind;
	return MEM_RESERVED;
}

UNIT_TEST(efi_valid)
{
	make_valid();
	EXPECT(parse());
	EXPECT_STR(info.protocol, "efi");
	EXPECT_STR(info.loader, "EDK II");
	EXPECT_STR(info.cmdline, "tlb=ipi bench=none");
	EXPECT_STR(info.secure_boot, "off");
	EXPECT_EQ(info.rsdp.raw, RSDP_PA);
	EXPECT(info.tree);
	EXPECT_EQ(hw.nr_cpus, 2);
	EXPECT(!hw.error);
}

UNIT_TEST(efi_memory_is_firmwares)
{
	make_valid();
	EXPECT(parse());
	EXPECT_EQ(kind_at(0), MEM_RESERVED); /* the tree's */
	EXPECT_EQ(kind_at(0x47ffffff), MEM_USABLE);
	EXPECT_EQ(kind_at(0x48000000), MEM_RESERVED); /* the tree's list of reservations */
	EXPECT_EQ(kind_at(0x48001000), MEM_USABLE);
	EXPECT_EQ(kind_at(0x50000000), MEM_RESERVED); /* the tree's, and reserved */
	EXPECT_EQ(kind_at(0x500fffff), MEM_RESERVED);
	EXPECT_EQ(kind_at(0x50100000), MEM_USABLE);
	EXPECT_EQ(kind_at(0x7e000000), MEM_USABLE);
	EXPECT_EQ(kind_at(0x7f7fffff), MEM_USABLE);
	EXPECT_EQ(kind_at(0x7f800000), MEM_RESERVED);
	EXPECT_EQ(kind_at(0x7f900000), MEM_ACPI);
	EXPECT_EQ(kind_at(0x80000000), MEM_RESERVED);
	EXPECT_EQ(kind_at(0x90000000), MEM_RESERVED);
}

UNIT_TEST(efi_line_from_load_options)
{
	make_valid();
	set_options("BOOT_IMAGE=/boot/tlblab-arm64.efi tlb=ipi"); /* GRUB */
	expect_line("tlb=ipi");
	set_options("  FS0:\\EFI\\tlblab-arm64.EFI   tlb=ipi "); /* UEFI's shell */
	expect_line("tlb=ipi ");
	set_options("console=a.efi");
	expect_line("console=a.efi");
	set_options("tlb=ipi b.efi");
	expect_line("tlb=ipi b.efi");
	set_options(".efi");
	expect_line(".efi");
	set_options("tlb=ipi");
	blob_put(&options, 4, 0x640061); /* behind the end */
	SET(options_bytes, options.n);
	expect_line("tlb=ipi");
	options.n = 7; /* no end, and half a character */
	SET(options_bytes, 7);
	expect_line("tlb");
}

UNIT_TEST(efi_line_from_file)
{
	make_valid();
	SET(options_bytes, 0);
	CONFIG("# what to run\r\ntlb=ipi \t# a comment\r\n\r\n  bench=none \n\n");
	expect_line("tlb=ipi bench=none");
	set_options("BOOT_IMAGE=/x ");
	expect_line("tlb=ipi bench=none");
	set_options("a.efi");
	expect_line("tlb=ipi bench=none");
	set_options("tlb=lazy");
	expect_line("tlb=lazy");
	set_options("");
	CONFIG("# nothing");
	expect_line("");
	SET(config, 0);
	SET(config_bytes, 0);
	expect_line("");
}

/* They stay where they are, for the options' parser to name. */
UNIT_TEST(efi_line_characters)
{
	make_valid();
	set_options("abc");
	blob_set(&options, 2, 2, 0x162); /* its low byte is a letter */
	expect_line("a\xff"
		    "c");
	SET(options_bytes, 0);
	CONFIG("a\0c\xc3\xa4");
	expect_line("a\xff"
		    "c\xff\xff");
}

UNIT_TEST(efi_line_too_long)
{
	static char text[2100];

	memset(text, 'a', sizeof(text) - 1);
	make_valid();
	text[2047] = '\0';
	set_options(text);
	expect_line(text);
	SET(options_bytes, 0);
	set_config(text, 2047);
	expect_line(text);
	text[2047] = 'a';
	set_config(text, 2048);
	expect_line_error("efi: the command line is longer than 2047 bytes");
	set_options(text);
	expect_line_error("efi: the command line is longer than 2047 bytes");
	SET(options_bytes, 65537);
	expect_line_error("efi: the load options cannot be read");
	SET(options, 0x1000);
	expect_line_error("efi: the load options cannot be read");
	SET(options_bytes, 0);
	SET(config_bytes, EFI_CONFIG_MAX + 1);
	expect_line_error("efi: tlblab.cfg is longer than 16 KiB");
	SET(options_bytes, 0);
	SET(config, 0x1000);
	expect_line_error("efi: tlblab.cfg cannot be read");
	make_tree(1, text); /* nobody asks it */
	expect_line("tlb=ipi bench=none");
}

UNIT_TEST(efi_tree_or_acpi)
{
	make_valid();
	SET(fdt, 0);
	EXPECT(parse());
	EXPECT(!info.tree && !hw.nr_cpus && !hw.error);
	make_tree(0, ""); /* GRUB's */
	SET(fdt, TREE_PA);
	EXPECT(parse());
	EXPECT(!info.tree && !hw.error);
	SET(rsdp, 0);
	EXPECT(parse());
	EXPECT(info.tree);
	EXPECT_STR(hw.error, "fdt: the device tree lists no enabled CPU");
	SET(fdt, 0);
	expect_error("efi: firmware gives neither a device tree nor ACPI tables");
	blob_set(&tree, 0, 4, 0);
	expect_error("fdt: there is no device tree where the loader says");
}

UNIT_TEST(efi_names)
{
	make_valid();
	ucs2(&vendor, "a\"b\\c\n");
	blob_set(&vendor, 0, 2, 0x263a);
	EXPECT(parse());
	EXPECT_STR(info.loader, "??b?c?");
	vendor.n = 4; /* no end */
	EXPECT(parse());
	EXPECT_STR(info.loader, "??");
	SET(vendor, 0);
	SET(secure_boot, EFI_SECURE_ON);
	EXPECT(parse());
	EXPECT_STR(info.loader, "");
	EXPECT_STR(info.secure_boot, "on");
	SET(secure_boot, ~0ull);
	EXPECT(parse());
	EXPECT_STR(info.secure_boot, "unknown");
}

UNIT_TEST(efi_lies)
{
	make_valid();
	SET(magic, 0);
	expect_error("efi: the stub hands over nothing");
	SET(descriptor_bytes, 39);
	expect_error("efi: the memory map has a wrong size");
	SET(descriptor_bytes, 0);
	expect_error("efi: the memory map has a wrong size");
	SET(map_bytes, map.n - 1);
	expect_error("efi: the memory map has a wrong size");
	SET(map_bytes, 0);
	expect_error("efi: the memory map has a wrong size");
	SET(map_bytes, 2 * DESCRIPTOR << 20);
	expect_error("efi: the memory map has a wrong size");
	SET(map, 0);
	expect_error("efi: the memory map cannot be read");
	map.n--;
	expect_error("efi: the memory map cannot be read");
	blob_set(&map, 24, 8, 1ull << 52); /* times 4096 is 0 */
	expect_error("efi: a range of the memory map ends before it starts");
	for (unsigned i = 0; i < 300; i++)
		descriptor(7, 0x100000000ull + 0x10000 * i, 1, WB);
	expect_error("efi: the memory map has too many ranges");
}

UNIT_TEST(efi_every_truncation_is_an_error)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		size_t whole;

		make_valid();
		whole = all[i]->n;
		for (size_t n = 0; n < whole && !unit_failures(); n++) {
			all[i]->n = n;
			/* The file is not looked at where there are options; a name may be cut. */
			EXPECT(!parse() || info.line_error || all[i] == &config || all[i] == &vendor);
		}
	}
}

UNIT_TEST(efi_every_byte_corrupted)
{
	make_valid();
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		for (size_t at = 0; at < all[i]->n && !unit_failures(); at++) {
			u8 was = all[i]->b[at];

			for (unsigned value = 0; value < 256; value += 3) {
				all[i]->b[at] = (u8)value;
				parse();
			}
			all[i]->b[at] = was;
		}
	}
	EXPECT(parse());
}

UNIT_TEST(efi_random_mutations)
{
	unsigned good = 0;
	u64 seed = 5;

	for (unsigned round = 0; round < 20000 && !unit_failures(); round++) {
		make_valid();
		for (unsigned n = 1 + (unsigned)random_of(&seed, 4); n; n--)
			blob_mutate(all[random_of(&seed, ARRAY_SIZE(all))], &seed);
		good += parse();
	}
	EXPECT(good > 1000 && good < 19000);
}
