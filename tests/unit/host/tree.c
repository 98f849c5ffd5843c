/* SPDX-License-Identifier: BSD-2-Clause */
/* Device trees by hand, for unit tests. */
#include "host/tree.h"

#include "unit.h"

struct blob tree;
struct boot_info tree_info;
struct hw_info tree_hw;
static struct blob strings;
static struct blob *const pieces[] = { &tree, NULL };

void tree_put(unsigned bytes, u64 value)
{
	while (bytes--)
		blob_put(&tree, 1, value >> 8 * bytes & 0xff);
}

void tree_set32(size_t offset, u32 value)
{
	blob_set(&tree, offset, 4, __builtin_bswap32(value));
}

void tree_node(const char *name)
{
	tree_put(4, 1);
	blob_text(&tree, name, __builtin_strlen(name) + 1);
	blob_align(&tree, 4);
}

void tree_node_end(void)
{
	tree_put(4, 2);
}

void tree_prop(const char *name, u32 bytes)
{
	tree_put(4, 3);
	tree_put(4, bytes);
	tree_put(4, strings.n);
	blob_text(&strings, name, __builtin_strlen(name) + 1);
}

void tree_prop_text(const char *name, const char *text, size_t n)
{
	tree_prop(name, (u32)n);
	blob_text(&tree, text, n);
	blob_align(&tree, 4);
}

void tree_prop_32(const char *name, u32 value)
{
	tree_prop(name, 4);
	tree_put(4, value);
}

void tree_prop_reg(unsigned n, const u64 *numbers)
{
	tree_prop("reg", n * 8);
	while (n--)
		tree_put(8, *numbers++);
}

void tree_begin(void)
{
	tree.pa = TREE_PA;
	tree.n = strings.n = 0;
	blob_align(&tree, 4);
	tree_put(4, 0xd00dfeed);
	tree_put(4, 0); /* length */
	tree_put(4, 0x38 + 0x20); /* structure; strings follow it */
	tree_put(4, 0);
	tree_put(4, 0x38); /* reservations */
	tree_put(4, 17);
	tree_put(4, 16);
	tree_put(4, 0);
	tree_put(8, 0);
	blob_align(&tree, 8);
	while (tree.n < 0x38)
		tree_put(4, 0);
	tree_put(8, 0x48000000);
	tree_put(8, 0x1000);
	tree_put(8, 0);
	tree_put(8, 0);
}

void tree_finish(void)
{
	tree_put(4, 9);
	tree_set32(36, (u32)tree.n - 0x58);
	tree_set32(12, (u32)tree.n);
	tree_set32(32, (u32)strings.n);
	blob_text(&tree, (const char *)strings.b, strings.n);
	tree_set32(4, (u32)tree.n);
}

bool tree_parses(void)
{
	phys_is(pieces);
	fdt_parse(PA(TREE_PA), phys_read, &tree_info, &tree_hw);
	phys_free_reads();
	expect_sane_boot_info(&tree_info);
	EXPECT(tree_hw.nr_cpus <= MAX_CPUS && tree_hw.nr_redists <= MAX_REDISTS);
	return !tree_info.error;
}
