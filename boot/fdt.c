/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The little of a device tree that is needed: command line, memory, CPUs, PSCI, interrupt controller, console, timer. Devicetree
 * Specification v0.4, chapters 2, 3 and 5; bindings arm,gic, arm,gic-v3, psci, arm,armv8-timer, pl011. Pure: memory is looked at
 * through the reader given only, and offsets into the blob are checked where they are used. State: struct walk of the caller.
 *
 * Properties of a node come before its children: a node is judged when its first child begins, or when it ends. Addresses are
 * physical ones where every bus above has an empty `ranges`; what is behind another kind of bus is passed over.
 */
#include "boot_info.h"
#include "boot/bytes.h"
#include "lib/string.h"

#define MAGIC 0xd00dfeed
#define HEADER 40
#define VERSION 16 /* the layout that we read; later ones say with which they are compatible */
#define BLOB_MAX (4u << 20)
#define DEPTH 10

enum token { BEGIN_NODE = 1, END_NODE = 2, PROP = 3, NOP = 4, END = 9 };

/* Properties that somebody here asks for; absent: no bytes. */
struct node {
	struct bytes name;
	struct bytes reg, compatible, device_type, status, method, interrupts, bootargs, stdout_path;
	u32 address_cells, size_cells; /* for its children */
	bool addressable; /* its children's addresses are physical ones */
	bool has_ranges, judged;
};

struct walk {
	struct bytes structure, strings;
	struct boot_info *out;
	struct hw_info *hw;
	struct node node[DEPTH];
	unsigned depth; /* nodes that are open; node[depth - 1] is the innermost */
	struct bytes console; /* path of the console's node, from /chosen */
	char path[128]; /* of the innermost node; cut if longer */
	size_t path_n[DEPTH];
	const char *error;
};

static u64 get_be(struct bytes b, u64 offset, unsigned size)
{
	u64 value = 0;

	if (!bytes_have(b, offset, size))
		return 0;
	for (unsigned i = 0; i < size; i++)
		value = value << 8 | b.at[offset + i];
	return value;
}

static u32 be32(struct bytes b, u64 offset)
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

static bool is_text(struct bytes b, const char *text)
{
	u64 n = strlen(text) + 1;

	return b.n >= n && !memcmp(b.at, text, n);
}

/* Is `text` one of the strings of the list? */
static bool has_text(struct bytes list, const char *text)
{
	struct bytes one;

	for (u64 at = 0; at < list.n; at += one.n) {
		one = text_at(list, at);
		if (!one.n)
			return false;
		if (is_text(one, text))
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

/* Entry `i` of `reg`. False: there is none, or its numbers have no form that is known. */
static bool reg_entry(const struct walk *w, unsigned i, u64 *start, u64 *bytes)
{
	const struct node *node = &w->node[w->depth - 1], *parent = node - 1;
	u32 a = parent->address_cells, s = parent->size_cells;

	if (w->depth < 2 || a < 1 || a > 2 || s > 2 || !bytes_have(node->reg, (u64)i * (a + s) * 4, (a + s) * 4))
		return false;
	*start = get_be(node->reg, (u64)i * (a + s) * 4, a * 4);
	*bytes = s ? get_be(node->reg, ((u64)i * (a + s) + a) * 4, s * 4) : 0;
	return true;
}

static void add_memory(struct walk *w, u64 start, u64 bytes, enum mem_kind kind)
{
	if (start + bytes < start)
		w->error = "fdt: a range of memory ends before it starts";
	else if (!mem_map_add(&w->out->map, PA(start), PA(start + bytes), kind))
		w->error = "fdt: the memory map has too many ranges";
}

static void add_reg_memory(struct walk *w, enum mem_kind kind)
{
	u64 start, bytes;

	for (unsigned i = 0; !w->error && reg_entry(w, i, &start, &bytes); i++)
		add_memory(w, start, bytes, kind);
}

static bool is_enabled(const struct node *node)
{
	return !node->status.n || is_text(node->status, "okay") || is_text(node->status, "ok");
}

static void add_cpu(struct walk *w, const struct node *node)
{
	struct hw_info *hw = w->hw;
	u64 id, unused;

	if (!reg_entry(w, 0, &id, &unused)) {
		w->error = "fdt: a CPU has no reg";
		return;
	}
	/* Affinity 3 is in bits 39:32 of MPIDR_EL1; 31:24 are flags there, and free. */
	id = (id >> 32 & 0xff) << 24 | (id & 0xffffff);
	if (!is_enabled(node))
		hw->nr_disabled++;
	else if (hw->nr_cpus == MAX_CPUS)
		hw->nr_over_limit++;
	else
		hw->hw_id[hw->nr_cpus++] = (u32)id;
}

static void add_gic(struct walk *w, unsigned version)
{
	struct hw_info *hw = w->hw;
	u64 start, bytes;

	if (hw->gic || !reg_entry(w, 0, &start, &bytes))
		return;
	hw->gic_dist = PA(start);
	for (unsigned i = 1; reg_entry(w, i, &start, &bytes); i++) {
		if (version == 2 && i == 1)
			hw->gic_cpu = PA(start);
		/* What follows the redistributors are version 2's interfaces, for guests: no redistributor is that small. */
		if (version == 3 && bytes >= 0x20000 && hw->nr_redists < MAX_REDISTS) {
			hw->redist[hw->nr_redists].start = PA(start);
			hw->redist[hw->nr_redists++].bytes = bytes;
		}
	}
	if (version == 2 ? hw->gic_cpu.raw : hw->nr_redists)
		hw->gic = version;
}

/* The node that /chosen names, else the first one. */
static void add_uart(struct walk *w)
{
	struct bytes path = { (const u8 *)w->path, strlen(w->path) };
	bool chosen = path.n && path.n <= w->console.n && !memcmp(path.at, w->console.at, path.n);
	u64 start, bytes;

	chosen = chosen && (path.n == w->console.n || w->console.at[path.n] == ':' || !w->console.at[path.n]);
	if ((!w->hw->uart.raw || chosen) && reg_entry(w, 0, &start, &bytes))
		w->hw->uart = PA(start);
}

/* Three cells an interrupt: kind (1: private to a CPU), number, trigger; the virtual timer's is the third. */
static void add_timer(struct walk *w, const struct node *node)
{
	if (bytes_have(node->interrupts, 24, 12) && be32(node->interrupts, 24) == 1 && be32(node->interrupts, 28) < 16)
		w->hw->timer_irq = 16 + be32(node->interrupts, 28);
}

static void judge_device(struct walk *w, const struct node *node)
{
	struct bytes c = node->compatible;

	if (!is_enabled(node))
		return;
	if (has_text(c, "arm,psci-0.2") || has_text(c, "arm,psci-1.0"))
		w->hw->psci = is_text(node->method, "hvc") ? PSCI_HVC : is_text(node->method, "smc") ? PSCI_SMC : PSCI_NONE;
	else if (has_text(c, "arm,armv8-timer"))
		add_timer(w, node);
	else if (!node[-1].addressable)
		return;
	else if (has_text(c, "arm,gic-v3"))
		add_gic(w, 3);
	else if (has_text(c, "arm,cortex-a15-gic") || has_text(c, "arm,gic-400"))
		add_gic(w, 2);
	else if (has_text(c, "arm,pl011"))
		add_uart(w);
}

/* All properties of the innermost node are known. */
static void judge(struct walk *w)
{
	struct node *node = &w->node[w->depth - 1];

	if (node->judged)
		return;
	node->judged = true;
	node->addressable = w->depth == 1 || (node[-1].addressable && node->has_ranges);
	if (w->depth == 1) {
		copy_text(w->hw->board, sizeof(w->hw->board), text_at(node->compatible, 0));
		return;
	}
	if (is_text(node->device_type, "memory")) {
		if (is_enabled(node)) /* else it is the secure world's */
			add_reg_memory(w, MEM_USABLE);
	} else if (is_text(node->device_type, "cpu")) {
		add_cpu(w, node);
	} else if (w->depth == 3 && is_text(node[-1].name, "reserved-memory")) {
		add_reg_memory(w, MEM_RESERVED);
	} else {
		judge_device(w, node);
	}
}

static void judge_chosen(struct walk *w)
{
	const struct node *node = &w->node[w->depth - 1];

	if (w->depth != 2 || !is_text(node->name, "chosen"))
		return;
	if (node->bootargs.n > sizeof(w->out->cmdline))
		w->error = "fdt: the command line is longer than 2047 bytes";
	else
		copy_text(w->out->cmdline, sizeof(w->out->cmdline), text_at(node->bootargs, 0));
	w->console = node->stdout_path;
}

static void begin_node(struct walk *w, struct bytes name)
{
	size_t n = w->depth ? w->path_n[w->depth - 1] : 0;

	if (w->depth == DEPTH) {
		w->error = "fdt: nodes are nested too deeply";
		return;
	}
	w->node[w->depth] = (struct node){ .name = name, .address_cells = 2, .size_cells = 1 };
	if (w->depth && n + name.n + 1 < sizeof(w->path)) {
		w->path[n++] = '/';
		memcpy(w->path + n, name.at, name.n);
		n += name.n - 1;
	}
	w->path[n] = '\0';
	w->path_n[w->depth++] = n;
}

static void property(struct node *node, struct bytes name, struct bytes value)
{
	static const struct {
		const char *name;
		size_t offset;
	} kept[] = {
		{ "reg", offsetof(struct node, reg) },
		{ "compatible", offsetof(struct node, compatible) },
		{ "device_type", offsetof(struct node, device_type) },
		{ "status", offsetof(struct node, status) },
		{ "method", offsetof(struct node, method) },
		{ "interrupts", offsetof(struct node, interrupts) },
		{ "bootargs", offsetof(struct node, bootargs) },
		{ "stdout-path", offsetof(struct node, stdout_path) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (is_text(name, kept[i].name))
			*(struct bytes *)((char *)node + kept[i].offset) = value;
	if (is_text(name, "#address-cells"))
		node->address_cells = be32(value, 0);
	if (is_text(name, "#size-cells"))
		node->size_cells = be32(value, 0);
	if (is_text(name, "ranges"))
		node->has_ranges = !value.n; /* one that is not empty translates */
}

/* Calls `done` for each node when its properties are known. */
static void walk(struct walk *w, void (*done)(struct walk *w))
{
	struct bytes s = w->structure, name;
	u64 at = 0, n;

	w->depth = 0;
	while (!w->error) {
		u32 token = be32(s, at);

		at += 4;
		if (token == NOP)
			continue;
		if (w->depth && (token == BEGIN_NODE || token == END_NODE))
			done(w);
		if (token == BEGIN_NODE && (name = text_at(s, at)).n && (w->depth || at == 4)) {
			begin_node(w, name);
			at = ALIGN_UP(at + name.n, 4);
		} else if (token == END_NODE && w->depth) {
			if (--w->depth)
				w->path[w->path_n[w->depth - 1]] = '\0';
		} else if (token == PROP && w->depth && bytes_have(s, at, 8) && bytes_have(s, at + 8, n = be32(s, at))) {
			property(&w->node[w->depth - 1], text_at(w->strings, be32(s, at + 4)), bytes_sub(s, at + 8, n));
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
	u64 at = be32(blob, 16), start, bytes;

	for (; !w->error && bytes_have(blob, at, 16); at += 16) {
		start = get_be(blob, at, 8);
		bytes = get_be(blob, at + 8, 8);
		if (!start && !bytes)
			return;
		add_memory(w, start, bytes, MEM_RESERVED);
	}
	if (!w->error)
		w->error = "fdt: the list of reserved memory has no end";
}

static const char *read_all(struct walk *w, u64 pa, phys_reader at)
{
	struct bytes blob = { at(PA(pa), HEADER), HEADER };

	if (!blob.at || be32(blob, 0) != MAGIC)
		return "fdt: there is no device tree where the loader says";
	blob.n = be32(blob, 4);
	if (blob.n < HEADER || blob.n > BLOB_MAX)
		return "fdt: the device tree has a wrong length";
	blob.at = at(PA(pa), blob.n);
	if (!blob.at)
		return "fdt: the device tree cannot be read as a whole";
	if (be32(blob, 24) > VERSION + 1 || be32(blob, 20) < VERSION)
		return "fdt: the device tree's version is not known";
	w->structure = bytes_sub(blob, be32(blob, 8), blob.n);
	w->strings = bytes_sub(blob, be32(blob, 12), be32(blob, 32));
	walk(w, judge_chosen);
	walk(w, judge);
	read_reservations(w, blob);
	return w->error;
}

void fdt_parse(struct pa pa, phys_reader at, struct boot_info *out, struct hw_info *hw)
{
	struct walk w = { .out = out, .hw = hw };

	memset(out, 0, sizeof(*out));
	memset(hw, 0, sizeof(*hw));
	out->protocol = "fdt";
	out->error = read_all(&w, pa.raw, at);
	if (!out->error && !hw->nr_cpus)
		hw->error = "fdt: the device tree lists no enabled CPU";
}
