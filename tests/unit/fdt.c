/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/fdt*.c third_party/libfdt/?*.c boot/hw_info.c boot/mem_map.c tests/unit/host/tree.c tests/unit/host/firmware.c */
/* A device tree as QEMU leaves it, cut off, corrupted and lying. */
#include "host/tree.h"
#include "unit.h"

static struct blob valid;

static void cpu(u32 id, const char *status)
{
	tree_node("cpu");
	PROP_TEXT("device_type", "cpu");
	tree_prop_32("reg", id);
	if (status)
		tree_prop_text("status", status, __builtin_strlen(status) + 1);
	tree_node_end();
}

static void uart(const char *name, u64 address)
{
	tree_node(name);
	PROP_TEXT("compatible", "arm,pl011\0arm,primecell");
	REG(address, 0x1000);
	tree_node_end();
}

static void devices(void)
{
	tree_node("intc@8000000");
	PROP_TEXT("compatible", "arm,gic-v3");
	REG(0x8000000, 0x10000, 0x80a0000, 0xf60000, 0x8040000, 0x2000);
	tree_node_end();
	uart("pl011@9000000", 0x9000000);
	tree_node("soc");
	tree_prop("ranges", 0);
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	uart("serial@9040000", 0x9040000);
	tree_node_end();
	tree_node("bus"); /* its addresses are not ours */
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	uart("serial@0", 0);
	tree_node_end();
	tree_node("timer");
	PROP_TEXT("compatible", "arm,armv8-timer\0arm,armv7-timer");
	tree_prop("interrupts", 48);
	for (unsigned i = 0; i < 4; i++) {
		static const u32 numbers[] = { 13, 14, 11, 10 };

		tree_put(4, 1);
		tree_put(4, numbers[i]);
		tree_put(4, 0x104);
	}
	tree_node_end();
	tree_node("psci");
	PROP_TEXT("compatible", "arm,psci-1.0\0arm,psci-0.2");
	PROP_TEXT("method", "hvc");
	tree_node_end();
}

static const char *bootargs = "tlb=ipi tests=all";

static void make(const char *stdout_path)
{
	tree_begin();
	tree_node("");
	PROP_TEXT("compatible", "linux,dummy-virt");
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	tree_node("memory@40000000");
	PROP_TEXT("device_type", "memory");
	REG(0x40000000, 0x10000000);
	tree_node_end();
	tree_node("secram@e000000");
	PROP_TEXT("status", "disabled");
	PROP_TEXT("device_type", "memory");
	REG(0xe000000, 0x1000000);
	tree_node_end();
	tree_node("reserved-memory");
	tree_prop_32("#address-cells", 2);
	tree_prop_32("#size-cells", 2);
	tree_prop("ranges", 0);
	tree_node("secure@4f000000");
	REG(0x4f000000, 0x1000000);
	tree_node_end();
	tree_node_end();
	tree_node("cpus");
	tree_prop_32("#address-cells", 1);
	tree_prop_32("#size-cells", 0);
	cpu(0, NULL);
	cpu(0x100, "okay");
	cpu(0x101, "disabled");
	tree_node_end();
	tree_put(4, 4); /* nothing */
	devices();
	tree_node("aliases");
	PROP_TEXT("second", "/soc/serial@9040000");
	PROP_TEXT("itself", "itself");
	tree_prop_text("unended", "/soc", 4);
	tree_prop("empty", 0);
	tree_node_end();
	tree_node("chosen");
	tree_prop_text("bootargs", bootargs, __builtin_strlen(bootargs) + 1);
	tree_prop_text("stdout-path", stdout_path, __builtin_strlen(stdout_path) + 1);
	tree_node_end();
	tree_node_end();
	tree_finish();
	valid = tree;
}

static void expect_error(const char *error)
{
	EXPECT(!tree_parses());
	if (tree_info.error)
		EXPECT_STR(tree_info.error, error);
}

UNIT_TEST(fdt_valid)
{
	make("/pl011@9000000");
	EXPECT(tree_parses());
	EXPECT(!tree_hw.error);
	EXPECT_STR(tree_info.protocol, "fdt");
	EXPECT_STR(tree_info.cmdline, "tlb=ipi tests=all");
	EXPECT_STR(tree_hw.board, "linux,dummy-virt");
	EXPECT_EQ(tree_info.map.nr, 4);
	EXPECT_EQ(tree_info.map.range[0].start.raw, 0x40000000);
	EXPECT_EQ(tree_info.map.range[1].start.raw, 0x48000000);
	EXPECT_EQ(tree_info.map.range[1].kind, MEM_RESERVED);
	EXPECT_EQ(tree_info.map.range[3].start.raw, 0x4f000000);
	EXPECT_EQ(tree_info.map.range[3].kind, MEM_RESERVED);
	EXPECT_EQ(tree_hw.nr_cpus, 2);
	EXPECT_EQ(tree_hw.nr_disabled, 1);
	EXPECT_EQ(tree_hw.hw_id[1], 0x100);
	EXPECT_EQ(tree_hw.gic, 3);
	EXPECT_EQ(tree_hw.gic_dist.raw, 0x8000000);
	EXPECT_EQ(tree_hw.nr_redists, 1); /* what follows is a CPU interface */
	EXPECT_EQ(tree_hw.redist[0].start.raw, 0x80a0000);
	EXPECT_EQ(tree_hw.redist[0].bytes, 0xf60000);
	EXPECT_EQ(tree_hw.console.address, 0x9000000);
	EXPECT_EQ(tree_hw.timer_irq, 27);
	EXPECT_EQ(tree_hw.psci, PSCI_HVC);
}

/* All else is known: there is a console to say it on. */
UNIT_TEST(fdt_line_too_long)
{
	static char text[2049];

	memset(text, 'a', 2048);
	bootargs = text;
	make("/pl011@9000000");
	EXPECT(tree_parses());
	EXPECT_STR(tree_info.line_error, "fdt: the command line is longer than 2047 bytes");
	EXPECT_EQ(strlen(tree_info.cmdline), 2047);
	EXPECT_EQ(tree_hw.console.address, 0x9000000);
	text[2047] = '\0';
	make("/pl011@9000000");
	EXPECT(tree_parses());
	EXPECT(!tree_info.line_error);
	EXPECT_STR(tree_info.cmdline, text);
	bootargs = "tlb=ipi tests=all";
}

UNIT_TEST(fdt_console_by_path)
{
	make("/soc/serial@9040000:115200n8");
	EXPECT(tree_parses());
	EXPECT_EQ(tree_hw.console.address, 0x9040000);
	make("/soc/serial"); /* the only one of that name */
	EXPECT(tree_parses());
	EXPECT_EQ(tree_hw.console.address, 0x9040000);
	make("/bus/serial@0");
	EXPECT(tree_parses());
	EXPECT_EQ(tree_hw.console.address, 0x9000000);
}

UNIT_TEST(fdt_console_by_alias)
{
	static const char *const names[] = { "second", "second:115200n8", "itself", "unended", "empty", "nobody", "", ":" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		make(names[i]);
		EXPECT(tree_parses());
		EXPECT_EQ(tree_hw.console.address, i < 2 ? 0x9040000 : 0x9000000);
	}
}

UNIT_TEST(fdt_wrong)
{
	make("/");
	tree_set32(0, 0xfeedd00d);
	expect_error("fdt: there is no device tree where the loader says");
	make("/");
	tree_set32(4, 39);
	expect_error("fdt: the device tree has a wrong length");
	make("/");
	tree_set32(24, 18);
	expect_error("fdt: the device tree's version is not known");
	make("/");
	tree_set32(4, (u32)tree.n + 1);
	expect_error("fdt: the device tree cannot be read as a whole");
	make("/");
	tree_set32(16, (u32)tree.n & ~7u);
	expect_error("fdt: the list of reserved memory has no end");
	make("/");
	tree_set32(8, 0x5c);
	expect_error("fdt: the structure block is damaged");
	make("/");
	tree_set32(8, 0x5a);
	expect_error("fdt: the device tree's parts are not aligned");
	make("/");
	tree_set32(16, 0x3c);
	expect_error("fdt: the device tree's parts are not aligned");
}

/* Where libfdt would go in a circle: the property ends where it begins. */
UNIT_TEST(fdt_endless_property)
{
	make("/");
	EXPECT_EQ(blob_get(&tree, 0x60, 4), 0x03000000); /* the root's first */
	tree_set32(0x64, 0xfffffff4);
	expect_error("fdt: the structure block is damaged");
}

UNIT_TEST(fdt_too_deep)
{
	tree_begin();
	for (unsigned i = 0; i < 100; i++)
		tree_node("");
	tree_finish();
	expect_error("fdt: nodes are nested too deeply");
}

UNIT_TEST(fdt_every_truncation_is_an_error)
{
	make("/");
	for (size_t n = 0; n < valid.n; n++) {
		tree.n = n;
		EXPECT(!tree_parses());
	}
}

UNIT_TEST(fdt_every_byte_corrupted)
{
	make("/");
	for (size_t at = 0; at < tree.n && !unit_failures(); at++) {
		u8 was = tree.b[at];

		for (unsigned i = 0; i < 10; i++) {
			tree.b[at] = (u8)(i < 8 ? was ^ 1u << i : i == 8 ? 0 : 0xff);
			tree_parses();
		}
		tree.b[at] = was;
	}
	EXPECT(tree_parses());
}

UNIT_TEST(fdt_random_mutations)
{
	u64 seed = 3;

	for (unsigned round = 0; round < 20000 && !unit_failures(); round++) {
		tree = valid;
		for (unsigned n = 0; n <= round % 4; n++)
			blob_mutate(&tree, &seed);
		tree_parses();
	}
}
