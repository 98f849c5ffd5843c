/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device tree: the walk through it, and the command line; what else is needed is judged in fdt_machine.c and fdt_topology.c.
 * Devicetree Specification v0.4, chapters 2, 3 and 5; bindings arm,gic, arm,gic-v3, psci, arm,armv8-timer, pl011. Pure: memory is
 * looked at through the reader given only, and offsets into the blob are checked where they are used. State: struct walk of the
 * caller.
 *
 * Properties of a node come before its children: a node is judged when its first child begins, or when it ends. Addresses are
 * physical ones where every bus above has an empty `ranges`; what is behind another kind of bus is passed over.
 */
#include "boot/fdt.h"

#include "lib/string.h"

#define MAGIC 0xd00dfeed
#define HEADER 40
#define VERSION 16 /* the layout that we read; later ones say with which they are compatible */
#define BLOB_MAX (4u << 20)

enum token { BEGIN_NODE = 1, END_NODE = 2, PROP = 3, NOP = 4, END = 9 };

static u64 get_be(struct bytes b, u64 offset, unsigned size)
{
	u64 value = 0;

	if (!bytes_have(b, offset, size))
		return 0;
	for (unsigned i = 0; i < size; i++)
		value = value << 8 | b.at[offset + i];
	return value;
}

u32 fdt_be32(struct bytes b, u64 offset)
{
	return (u32)get_be(b, offset, 4);
}

/* The text at `offset`, with its terminator; nothing if it has none. */
static struct bytes text_at(struct bytes b, u64 offset)
{
	u64 n = 0;

	while (offset + n < b.n && b.at[offset + n])
		n++;
	return offset + n < b.n ? bytes_sub(b, offset, n + 1) : (struct bytes){ NULL, 0 };
}

bool fdt_is_text(struct bytes b, const char *text)
{
	u64 n = strlen(text) + 1;

	return b.n >= n && !memcmp(b.at, text, n);
}

bool fdt_has_text(struct bytes list, const char *text)
{
	struct bytes one;

	for (u64 at = 0; at < list.n; at += one.n) {
		one = text_at(list, at);
		if (!one.n)
			return false;
		if (fdt_is_text(one, text))
			return true;
	}
	return false;
}

static void copy_text(char *to, size_t size, struct bytes text)
{
	size_t n = MIN(text.n, size - 1);

	memcpy(to, text.at ? text.at : (const u8 *)"", n);
	to[n] = '\0';
}

bool fdt_reg_entry(const struct walk *w, unsigned i, u64 *start, u64 *bytes)
{
	const struct node *node = &w->node[w->depth - 1], *parent = node - 1;
	u32 a = parent->address_cells, s = parent->size_cells;

	if (w->depth < 2 || a < 1 || a > 2 || s > 2 || !bytes_have(w->own.reg, (u64)i * (a + s) * 4, (a + s) * 4))
		return false;
	*start = get_be(w->own.reg, (u64)i * (a + s) * 4, a * 4);
	*bytes = s ? get_be(w->own.reg, ((u64)i * (a + s) + a) * 4, s * 4) : 0;
	return true;
}

bool fdt_is_enabled(const struct walk *w)
{
	return !w->own.status.n || fdt_is_text(w->own.status, "okay") || fdt_is_text(w->own.status, "ok");
}

void fdt_add_memory(struct walk *w, u64 start, u64 bytes, enum mem_kind kind)
{
	if (start + bytes < start)
		w->error = "fdt: a range of memory ends before it starts";
	else if (!mem_map_add(&w->out->map, PA(start), PA(start + bytes), kind))
		w->error = "fdt: the memory map has too many ranges";
}

/* The first pass: the root, and /chosen, which may name nodes that came before. */
static void judge_chosen(struct walk *w)
{
	const struct node *node = &w->node[w->depth - 1];

	if (w->depth == 1)
		copy_text(w->hw->board, sizeof(w->hw->board), text_at(w->own.compatible, 0));
	if (w->depth != 2 || !fdt_is_text(node->name, "chosen"))
		return;
	if (w->own.bootargs.n > sizeof(w->out->cmdline))
		w->out->line_error = "fdt: the command line is longer than 2047 bytes";
	copy_text(w->out->cmdline, sizeof(w->out->cmdline), text_at(w->own.bootargs, 0));
	w->console = w->own.stdout_path;
}

static void begin_node(struct walk *w, struct bytes name)
{
	size_t n = w->depth ? w->path_n[w->depth - 1] : 0;

	if (w->depth == FDT_DEPTH) {
		w->error = "fdt: nodes are nested too deeply";
		return;
	}
	w->own = (struct properties){ .reg = { NULL, 0 } };
	w->node[w->depth] = (struct node){ .name = name, .address_cells = 2, .size_cells = 1, .number = w->nodes++ };
	if (w->depth && n + name.n + 1 < sizeof(w->path)) {
		w->path[n++] = '/';
		memcpy(w->path + n, name.at, name.n);
		n += name.n - 1;
	}
	w->path[n] = '\0';
	w->path_n[w->depth++] = n;
}

static void property(struct walk *w, struct bytes name, struct bytes value)
{
	static const struct {
		const char *name;
		size_t offset;
	} kept[] = {
		{ "reg", offsetof(struct properties, reg) },
		{ "compatible", offsetof(struct properties, compatible) },
		{ "device_type", offsetof(struct properties, device_type) },
		{ "status", offsetof(struct properties, status) },
		{ "method", offsetof(struct properties, method) },
		{ "interrupts", offsetof(struct properties, interrupts) },
		{ "bootargs", offsetof(struct properties, bootargs) },
		{ "stdout-path", offsetof(struct properties, stdout_path) },
		{ "reg-shift", offsetof(struct properties, reg_shift) },
		{ "reg-io-width", offsetof(struct properties, reg_io_width) },
		{ "phandle", offsetof(struct properties, phandle) },
		{ "cpu", offsetof(struct properties, cpu) },
		{ "numa-node-id", offsetof(struct properties, numa_node_id) },
		{ "distance-matrix", offsetof(struct properties, distance_matrix) },
	};
	struct node *node = &w->node[w->depth - 1];

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (fdt_is_text(name, kept[i].name))
			*(struct bytes *)((char *)&w->own + kept[i].offset) = value;
	if (fdt_is_text(name, "#address-cells"))
		node->address_cells = fdt_be32(value, 0);
	if (fdt_is_text(name, "#size-cells"))
		node->size_cells = fdt_be32(value, 0);
	if (fdt_is_text(name, "ranges"))
		node->has_ranges = !value.n; /* one that is not empty translates */
}

/* Calls `done` for each node, once, when its properties are known. */
static void walk(struct walk *w, void (*done)(struct walk *w))
{
	struct bytes s = w->structure, name;
	u64 at = 0, n;

	w->depth = w->nodes = 0;
	while (!w->error) {
		u32 token = fdt_be32(s, at);

		at += 4;
		if (token == NOP)
			continue;
		if (w->depth && (token == BEGIN_NODE || token == END_NODE) && !w->node[w->depth - 1].judged) {
			w->node[w->depth - 1].judged = true;
			done(w);
		}
		if (token == BEGIN_NODE && (name = text_at(s, at)).n && (w->depth || at == 4)) {
			begin_node(w, name);
			at = ALIGN_UP(at + name.n, 4);
		} else if (token == END_NODE && w->depth) {
			if (--w->depth)
				w->path[w->path_n[w->depth - 1]] = '\0';
		} else if (token == PROP && w->depth && bytes_have(s, at, 8) && bytes_have(s, at + 8, n = fdt_be32(s, at))) {
			property(w, text_at(w->strings, fdt_be32(s, at + 4)), bytes_sub(s, at + 8, n));
			at = ALIGN_UP(at + 8 + n, 4);
		} else if (token == END && !w->depth) {
			return;
		} else {
			w->error = "fdt: the structure block is damaged";
		}
	}
}

/* Memory that the loader wants left alone: pairs, ended by one of zeros. */
static void read_reservations(struct walk *w, struct bytes blob)
{
	u64 at = fdt_be32(blob, 16), start, bytes;

	for (; !w->error && bytes_have(blob, at, 16); at += 16) {
		start = get_be(blob, at, 8);
		bytes = get_be(blob, at + 8, 8);
		if (!start && !bytes)
			return;
		fdt_add_memory(w, start, bytes, MEM_RESERVED);
	}
	if (!w->error)
		w->error = "fdt: the list of reserved memory has no end";
}

static const char *read_all(struct walk *w, u64 pa, phys_reader at)
{
	struct bytes blob = { at(PA(pa), HEADER), HEADER };

	if (!blob.at || fdt_be32(blob, 0) != MAGIC)
		return "fdt: there is no device tree where the loader says";
	blob.n = fdt_be32(blob, 4);
	if (blob.n < HEADER || blob.n > BLOB_MAX)
		return "fdt: the device tree has a wrong length";
	blob.at = at(PA(pa), blob.n);
	if (!blob.at)
		return "fdt: the device tree cannot be read as a whole";
	if (fdt_be32(blob, 24) > VERSION + 1 || fdt_be32(blob, 20) < VERSION)
		return "fdt: the device tree's version is not known";
	w->structure = bytes_sub(blob, fdt_be32(blob, 8), blob.n);
	w->strings = bytes_sub(blob, fdt_be32(blob, 12), fdt_be32(blob, 32));
	walk(w, judge_chosen);
	walk(w, fdt_judge_machine);
	hw_info_sort_nodes(w->hw);
	walk(w, fdt_judge_topology);
	read_reservations(w, blob);
	return w->error;
}

void fdt_parse(struct pa pa, phys_reader at, struct boot_info *out, struct hw_info *hw)
{
	struct walk w = { .out = out, .hw = hw };

	memset(out, 0, sizeof(*out));
	hw_info_clear(hw);
	out->protocol = "fdt";
	out->tree = true;
	out->error = read_all(&w, pa.raw, at);
	if (!out->error && !hw->nr_cpus)
		hw->error = "fdt: the device tree lists no enabled CPU";
}
