/* SPDX-License-Identifier: BSD-2-Clause */
/* Between boot/fdt.c, which checks a device tree as a whole, and what judges its nodes: fdt_machine.c, fdt_topology.c. */
#ifndef BOOT_FDT_H
#define BOOT_FDT_H

#include <libfdt.h>

#include "boot_info.h"

#define FDT_DEPTH 10 /* nodes within each other, at most: the judges call themselves for children */

/* Nodes are libfdt's: where in the tree they begin; below 0 there is none, and it has no properties. */
struct device_tree {
	const void *fdt;
	struct boot_info *out;
	struct hw_info *hw;
	int console, reserved; /* the node that /chosen names; the one whose children are reserved memory */
	const char *error; /* the first one */
};

/* Cell `i` of a property of cells. False: there is none, and *value is 0. */
bool tree_cell(const struct device_tree *t, int node, const char *property, unsigned i, u32 *value);

/* The first of a property's strings is this one. */
bool tree_says(const struct device_tree *t, int node, const char *property, const char *text);

void tree_add_memory(struct device_tree *t, u64 start, u64 bytes, enum mem_kind kind);

void tree_judge_machine(struct device_tree *t); /* memory, CPUs, devices */
void tree_judge_topology(struct device_tree *t); /* cpu-map, distance-map; needs what the first found */

#endif
