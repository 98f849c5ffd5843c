/* SPDX-License-Identifier: BSD-2-Clause */
/* Between boot/fdt.c, which walks through a device tree, and what judges its nodes: fdt_machine.c, fdt_topology.c. */
#ifndef BOOT_FDT_H
#define BOOT_FDT_H

#include "boot/bytes.h"
#include "boot_info.h"

#define FDT_DEPTH 10

/* Properties that somebody here asks for; absent: no bytes. */
struct properties {
	struct bytes reg, compatible, device_type, status, method, interrupts, bootargs, stdout_path;
	struct bytes reg_shift, reg_io_width, phandle, cpu, numa_node_id, distance_matrix;
};

struct node {
	struct bytes name;
	u32 address_cells, size_cells; /* for its children */
	u32 number; /* of all nodes, in their order */
	bool addressable; /* its children's addresses are physical ones */
	bool has_ranges, judged;
};

struct walk {
	struct bytes structure, strings;
	struct boot_info *out;
	struct hw_info *hw;
	struct properties own; /* the innermost node's, until it is judged: then its children's come */
	struct node node[FDT_DEPTH];
	unsigned depth; /* nodes that are open; node[depth - 1] is the innermost */
	u32 nodes; /* begun so far */
	struct bytes console; /* path of the console's node, from /chosen */
	char path[128]; /* of the innermost node; cut if longer */
	size_t path_n[FDT_DEPTH];
	const char *error;
};

u32 fdt_be32(struct bytes b, u64 offset); /* big endian; outside of the bytes: 0 */
bool fdt_is_text(struct bytes b, const char *text);
bool fdt_has_text(struct bytes list, const char *text); /* one of the strings of the list */
bool fdt_is_enabled(const struct walk *w); /* the innermost node */

/* Entry `i` of the innermost node's `reg`. False: there is none, or its numbers have no form that is known. */
bool fdt_reg_entry(const struct walk *w, unsigned i, u64 *start, u64 *bytes);

/* What passes do with the innermost node, all of whose properties are known. The second needs what the first found. */
void fdt_judge_machine(struct walk *w); /* memory, CPUs, devices */
void fdt_judge_topology(struct walk *w); /* cpu-map, distance-map */

void fdt_add_memory(struct walk *w, u64 start, u64 bytes, enum mem_kind kind);

#endif
