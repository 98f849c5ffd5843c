/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/fdt.c boot/mem_map.c tests/unit/host/firmware.c */
/* A device tree as QEMU leaves it, cut off, corrupted and lying. */
#include "boot_info.h"
#include "host/firmware.h"
#include "unit.h"

#define BLOB_PA 0x44000000

static struct blob blob, strings, valid;
static struct blob *const pieces[] = { &blob, NULL };
static struct boot_info info;
static struct hw_info hw;

static void put(unsigned bytes, u64 value)
{
	while (bytes--)
		blob_put(&blob, 1, value >> 8 * bytes & 0xff);
}

static void set32(size_t offset, u32 value)
{
	blob_set(&blob, offset, 4, __builtin_bswap32(value));
}

static void node(const char *name)
{
	put(4, 1);
	blob_text(&blob, name, __builtin_strlen(name) + 1);
	blob_align(&blob, 4);
}

static void node_end(void)
{
	put(4, 2);
}

static void prop(const char *name, u32 bytes)
{
	put(4, 3);
	put(4, bytes);
	put(4, strings.n);
	blob_text(&strings, name, __builtin_strlen(name) + 1);
}

static void prop_text(const char *name, const char *text, size_t n)
{
	prop(name, (u32)n);
	blob_text(&blob, text, n);
	blob_align(&blob, 4);
}
#define PROP_TEXT(name, text) prop_text(name, text, sizeof(text))

static void prop_32(const char *name, u32 value)
{
	prop(name, 4);
	put(4, value);
}

/* Pairs of 64 bits. */
static void prop_reg(unsigned n, const u64 *numbers)
{
	prop("reg", n * 8);
	while (n--)
		put(8, *numbers++);
}
#define REG(...) prop_reg(sizeof((u64[]){ __VA_ARGS__ }) / 8, (u64[]){ __VA_ARGS__ })

static void cpu(u32 id, const char *status)
{
	node("cpu");
	PROP_TEXT("device_type", "cpu");
	prop_32("reg", id);
	if (status)
		prop_text("status", status, __builtin_strlen(status) + 1);
	node_end();
}

static void uart(const char *name, u64 address)
{
	node(name);
	PROP_TEXT("compatible", "arm,pl011\0arm,primecell");
	REG(address, 0x1000);
	node_end();
}

static void devices(void)
{
	node("intc@8000000");
	PROP_TEXT("compatible", "arm,gic-v3");
	REG(0x8000000, 0x10000, 0x80a0000, 0xf60000, 0x8040000, 0x2000);
	node_end();
	uart("pl011@9000000", 0x9000000);
	node("soc");
	prop("ranges", 0);
	prop_32("#address-cells", 2);
	prop_32("#size-cells", 2);
	uart("serial@9040000", 0x9040000);
	node_end();
	node("bus"); /* its addresses are not ours */
	prop_32("#address-cells", 2);
	prop_32("#size-cells", 2);
	uart("serial@0", 0);
	node_end();
	node("timer");
	PROP_TEXT("compatible", "arm,armv8-timer\0arm,armv7-timer");
	prop("interrupts", 48);
	for (unsigned i = 0; i < 4; i++) {
		static const u32 numbers[] = { 13, 14, 11, 10 };

		put(4, 1);
		put(4, numbers[i]);
		put(4, 0x104);
	}
	node_end();
	node("psci");
	PROP_TEXT("compatible", "arm,psci-1.0\0arm,psci-0.2");
	PROP_TEXT("method", "hvc");
	node_end();
}

static void make(const char *stdout_path)
{
	blob.pa = BLOB_PA;
	blob.n = strings.n = 0;
	blob_align(&blob, 4);
	put(4, 0xd00dfeed);
	put(4, 0); /* length */
	put(4, 0x38 + 0x20); /* structure; strings follow it */
	put(4, 0);
	put(4, 0x38); /* reservations */
	put(4, 17);
	put(4, 16);
	put(4, 0);
	put(8, 0);
	blob_align(&blob, 8);
	while (blob.n < 0x38)
		put(4, 0);
	put(8, 0x48000000);
	put(8, 0x1000);
	put(8, 0);
	put(8, 0);
	node("");
	PROP_TEXT("compatible", "linux,dummy-virt");
	prop_32("#address-cells", 2);
	prop_32("#size-cells", 2);
	node("memory@40000000");
	PROP_TEXT("device_type", "memory");
	REG(0x40000000, 0x10000000);
	node_end();
	node("secram@e000000");
	PROP_TEXT("status", "disabled");
	PROP_TEXT("device_type", "memory");
	REG(0xe000000, 0x1000000);
	node_end();
	node("reserved-memory");
	prop_32("#address-cells", 2);
	prop_32("#size-cells", 2);
	prop("ranges", 0);
	node("secure@4f000000");
	REG(0x4f000000, 0x1000000);
	node_end();
	node_end();
	node("cpus");
	prop_32("#address-cells", 1);
	prop_32("#size-cells", 0);
	cpu(0, NULL);
	cpu(0x100, "okay");
	cpu(0x101, "disabled");
	node_end();
	put(4, 4); /* nothing */
	devices();
	node("chosen");
	PROP_TEXT("bootargs", "tlb=ipi tests=all");
	prop_text("stdout-path", stdout_path, __builtin_strlen(stdout_path) + 1);
	node_end();
	node_end();
	put(4, 9);
	set32(36, (u32)blob.n - 0x58);
	set32(12, (u32)blob.n);
	set32(32, (u32)strings.n);
	blob_text(&blob, (const char *)strings.b, strings.n);
	set32(4, (u32)blob.n);
	valid = blob;
}

static bool parse(void)
{
	phys_is(pieces);
	fdt_parse(PA(BLOB_PA), phys_read, &info, &hw);
	phys_free_reads();
	expect_sane_boot_info(&info);
	EXPECT(hw.nr_cpus <= MAX_CPUS && hw.nr_redists <= MAX_REDISTS);
	return !info.error;
}

static void expect_error(const char *error)
{
	EXPECT(!parse());
	if (info.error)
		EXPECT_STR(info.error, error);
}

UNIT_TEST(fdt_valid)
{
	make("/pl011@9000000");
	EXPECT(parse());
	EXPECT(!hw.error);
	EXPECT_STR(info.protocol, "fdt");
	EXPECT_STR(info.cmdline, "tlb=ipi tests=all");
	EXPECT_STR(hw.board, "linux,dummy-virt");
	EXPECT_EQ(info.map.nr, 4);
	EXPECT_EQ(info.map.range[0].start.raw, 0x40000000);
	EXPECT_EQ(info.map.range[1].start.raw, 0x48000000);
	EXPECT_EQ(info.map.range[1].kind, MEM_RESERVED);
	EXPECT_EQ(info.map.range[3].start.raw, 0x4f000000);
	EXPECT_EQ(info.map.range[3].kind, MEM_RESERVED);
	EXPECT_EQ(hw.nr_cpus, 2);
	EXPECT_EQ(hw.nr_disabled, 1);
	EXPECT_EQ(hw.hw_id[1], 0x100);
	EXPECT_EQ(hw.gic, 3);
	EXPECT_EQ(hw.gic_dist.raw, 0x8000000);
	EXPECT_EQ(hw.nr_redists, 1); /* what follows is a CPU interface */
	EXPECT_EQ(hw.redist[0].start.raw, 0x80a0000);
	EXPECT_EQ(hw.redist[0].bytes, 0xf60000);
	EXPECT_EQ(hw.uart.raw, 0x9000000);
	EXPECT_EQ(hw.timer_irq, 27);
	EXPECT_EQ(hw.psci, PSCI_HVC);
}

UNIT_TEST(fdt_console_by_path)
{
	make("/soc/serial@9040000:115200n8");
	EXPECT(parse());
	EXPECT_EQ(hw.uart.raw, 0x9040000);
	make("/bus/serial@0");
	EXPECT(parse());
	EXPECT_EQ(hw.uart.raw, 0x9000000);
}

UNIT_TEST(fdt_wrong)
{
	make("/");
	set32(0, 0xfeedd00d);
	expect_error("fdt: there is no device tree where the loader says");
	make("/");
	set32(4, 39);
	expect_error("fdt: the device tree has a wrong length");
	make("/");
	set32(24, 18);
	expect_error("fdt: the device tree's version is not known");
	make("/");
	set32(4, (u32)blob.n + 1);
	expect_error("fdt: the device tree cannot be read as a whole");
	make("/");
	set32(16, (u32)blob.n);
	expect_error("fdt: the list of reserved memory has no end");
	make("/");
	set32(8, 0x5c);
	expect_error("fdt: the structure block is damaged");
}

UNIT_TEST(fdt_too_deep)
{
	make("/");
	blob.n = 0x58;
	for (unsigned i = 0; i < 100; i++)
		node("");
	blob_align(&blob, 8);
	blob_put(&blob, 8, 0);
	set32(4, (u32)blob.n);
	expect_error("fdt: nodes are nested too deeply");
}

UNIT_TEST(fdt_every_truncation_is_an_error)
{
	make("/");
	for (size_t n = 0; n < valid.n; n++) {
		blob.n = n;
		EXPECT(!parse());
	}
}

UNIT_TEST(fdt_every_byte_corrupted)
{
	make("/");
	for (size_t at = 0; at < blob.n && !unit_failures(); at++) {
		u8 was = blob.b[at];

		for (unsigned value = 0; value < 256; value += 5) {
			blob.b[at] = (u8)value;
			parse();
		}
		blob.b[at] = was;
	}
	EXPECT(parse());
}

UNIT_TEST(fdt_random_mutations)
{
	u64 seed = 3;

	for (unsigned round = 0; round < 20000 && !unit_failures(); round++) {
		blob = valid;
		for (unsigned n = 0; n <= round % 4; n++)
			blob_mutate(&blob, &seed);
		parse();
	}
}
