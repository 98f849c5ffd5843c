/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ACPI says about who is near whom: PPTT, SRAT, SLIT (ACPI Specification 6.5, 5.2.30, 5.2.16, 5.2.17). Pure. CPUs that the
 * MADT does not list as enabled are passed over, and a table that is wrong somewhere is forgotten as a whole.
 */
#include "boot/acpi.h"

#define PACKAGE (1 << 0) /* flags of a processor hierarchy node */
#define UID_VALID (1 << 1)
#define IS_THREAD (1 << 2)
#define IS_LEAF (1 << 3)
#define NODE_BYTES 20
#define MAX_DEPTH 16 /* more levels are a loop */

/* The processor hierarchy node at offset `at`; nothing if there is none. */
static struct bytes hierarchy_node(struct bytes pptt, u64 at)
{
	struct bytes node = bytes_sub(pptt, at, NODE_BYTES);

	if (at < ACPI_HEADER || node.n < NODE_BYTES || bytes_get(node, 0, 1) != 0 || bytes_get(node, 1, 1) < NODE_BYTES)
		return (struct bytes){ NULL, 0 };
	return node;
}

static u32 flags_of(struct bytes node)
{
	return bytes_get32(node, 4);
}

static u32 parent_of(struct bytes node)
{
	return bytes_get32(node, 8);
}

/* From revision 2 on a flag says it; before, it is who is nobody's parent. A container may have a CPU's number, too. */
static bool is_leaf(struct bytes pptt, struct bytes node, u64 offset)
{
	u64 n;

	if (bytes_get(pptt, 8, 1) >= 2)
		return flags_of(node) & IS_LEAF;
	for (u64 at = ACPI_HEADER; at < pptt.n; at += n) {
		n = bytes_get(pptt, at + 1, 1);
		if (n < 2)
			break;
		if (hierarchy_node(pptt, at).n && parent_of(hierarchy_node(pptt, at)) == offset)
			return false;
	}
	return true;
}

/*
 * Numbers are offsets of nodes. A thread's parent is its core; the core's parent the complex, unless it is the package already, or
 * the core is; the package is the first with its flag on the way up, else the last. False: a parent is none, or there is a loop.
 */
static bool walk_up(struct bytes pptt, u32 leaf, struct place *place)
{
	struct bytes node = hierarchy_node(pptt, leaf);
	bool thread = flags_of(node) & IS_THREAD;
	u32 at = leaf, core = leaf, complex = 0;

	for (unsigned depth = 0; depth < MAX_DEPTH; depth++) {
		unsigned above = depth - thread; /* levels above the core */

		if (depth == 1 && thread)
			core = at;
		if (above == 1)
			complex = at;
		if (flags_of(node) & PACKAGE || !parent_of(node)) {
			place->at[LEVEL_CORE] = core;
			place->at[LEVEL_COMPLEX] = complex ? complex : at;
			place->at[LEVEL_PACKAGE] = at;
			return true;
		}
		at = parent_of(node);
		node = hierarchy_node(pptt, at);
		if (!node.n)
			return false;
	}
	return false;
}

/* How many CPUs of this core were placed before. */
static u32 threads_before(const struct hw_info *out, unsigned cpu)
{
	u32 n = 0;

	for (unsigned i = 0; i < out->nr_cpus; i++)
		n += i != cpu && out->place[i].at[LEVEL_CORE] == out->place[cpu].at[LEVEL_CORE];
	return n;
}

static bool read_pptt_entry(struct bytes e, struct bytes pptt, struct hw_info *out)
{
	u32 offset = (u32)(e.at - pptt.at), flags = flags_of(e);
	unsigned cpu;

	if (bytes_get(e, 0, 1) != 0) /* a cache */
		return true;
	if (e.n < NODE_BYTES)
		return false;
	if (!(flags & UID_VALID) || !is_leaf(pptt, e, offset))
		return true;
	cpu = hw_info_find_handle(out, bytes_get32(e, 12));
	if (cpu == MAX_CPUS || out->place[cpu].at[LEVEL_CORE] != NOT_TOLD)
		return true;
	if (!walk_up(pptt, offset, &out->place[cpu]))
		return false;
	out->place[cpu].at[LEVEL_THREAD] = threads_before(out, cpu);
	out->places_by = "pptt";
	return true;
}

const char *acpi_read_pptt(const struct acpi_kind *kind, struct bytes pptt, struct hw_info *out)
{
	const char *error = acpi_entries(kind, pptt, ACPI_HEADER, read_pptt_entry, out);

	if (error)
		hw_info_forget_places(out);
	return error == kind->too_short ? "acpi: an entry of table PPTT is too short, or its parents lead nowhere" : error;
}

static void set_node(struct hw_info *out, unsigned cpu, u32 domain)
{
	if (cpu < MAX_CPUS && out->place[cpu].at[LEVEL_NODE] == NOT_TOLD)
		out->place[cpu].at[LEVEL_NODE] = hw_info_node(out, domain);
}

static bool read_srat_entry(struct bytes e, struct bytes srat, struct hw_info *out)
{
	static const struct {
		u8 bytes, flags;
	} types[] = { { 16, 4 }, { 40, 28 }, { 24, 12 }, { 18, 10 } }; /* APIC, memory, x2APIC, GICC: least length, flags */
	u64 type = bytes_get(e, 0, 1);
	u32 domain = bytes_get32(e, 2);

	if (type >= ARRAY_SIZE(types))
		return true;
	if (e.n < types[type].bytes)
		return false;
	if (!(bytes_get32(e, types[type].flags) & 1))
		return true;
	switch (type) {
	case 0:
		domain = (u32)bytes_get(e, 2, 1);
		if (bytes_get(srat, 8, 1) >= 2) /* reserved before revision 2 */
			domain |= (u32)bytes_get(e, 9, 3) << 8;
		set_node(out, hw_info_find_id(out, (u32)bytes_get(e, 3, 1)), domain);
		return true;
	case 1:
		return hw_info_node_range(out, bytes_get64(e, 8), bytes_get64(e, 16), domain);
	case 2:
		set_node(out, hw_info_find_id(out, bytes_get32(e, 8)), bytes_get32(e, 4));
		return true;
	default:
		set_node(out, hw_info_find_handle(out, bytes_get32(e, 6)), domain);
		return true;
	}
}

const char *acpi_read_srat(const struct acpi_kind *kind, struct bytes srat, struct hw_info *out)
{
	const char *error = srat.n < 48 ? kind->wrong_length : acpi_entries(kind, srat, 48, read_srat_entry, out);

	out->nodes_by = "srat";
	if (error)
		hw_info_forget_nodes(out);
	hw_info_sort_nodes(out);
	return error == kind->too_short ? "acpi: an entry of table SRAT is too short, or its memory ends before it starts" : error;
}

/* Rows and columns are domains 0..n-1. What SRAT does not name is passed over, and what is beyond n cannot be reached. */
const char *acpi_read_slit(const struct acpi_kind *kind, struct bytes slit, struct hw_info *out)
{
	u64 n = bytes_get64(slit, 36);

	if (slit.n < 44 || n > 0xffff || slit.n - 44 != n * n)
		return kind->wrong_length;
	for (unsigned from = 0; from < out->nr_nodes; from++) {
		for (unsigned to = 0; to < out->nr_nodes; to++) {
			u64 a = out->domain[from], b = out->domain[to];
			u8 distance = a < n && b < n ? (u8)bytes_get(slit, 44 + a * n + b, 1) : from == to ? 10 : UNREACHABLE;

			if (from == to ? distance != 10 : distance <= 10)
				return "acpi: table SLIT has distances below 10, or not 10 from a node to itself";
			out->distance[from][to] = distance;
		}
	}
	out->distances_told = out->nr_nodes > 0;
	return NULL;
}
