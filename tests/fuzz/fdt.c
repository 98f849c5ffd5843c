/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/fdt*.c third_party/libfdt/?*.c boot/hw_info.c boot/mem_map.c tests/unit/host/firmware.c tests/unit/host/tree.c */
/* The input is a device tree. */
#include "fuzz.h"
#include "host/tree.h"

void fuzz(const u8 *data, size_t n)
{
	tree.pa = TREE_PA;
	tree.n = MIN(n, sizeof(tree.b));
	memcpy(tree.b, data, tree.n);
	memset(&tree_hw, 0, sizeof(tree_hw));
	tree_parses();
}
