/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device tree, read by libfdt: checked as a whole, and the command line; what else is needed is judged in fdt_machine.c and
 * fdt_topology.c. Devicetree Specification v0.4, chapters 3 and 5. Pure: memory is looked at through the reader given only.
 */
#include "boot/fdt.h"

#include "lib/string.h"

#define BLOB_MAX (4u << 20)

bool tree_cell(const struct device_tree *t, int node, const char *property, unsigned i, u32 *value)
{
	int n;
	const fdt32_t *cells = fdt_getprop(t->fdt, node, property, &n);
	bool told = cells && i < (unsigned)n / sizeof(*cells);

	*value = told ? fdt32_ld(cells + i) : 0;
	return told;
}

bool tree_says(const struct device_tree *t, int node, const char *property, const char *text)
{
	return fdt_stringlist_search(t->fdt, node, property, text) == 0;
}

void tree_add_memory(struct device_tree *t, u64 start, u64 bytes, enum mem_kind kind)
{
	if (t->error)
		return;
	if (start + bytes < start)
		t->error = "fdt: a range of memory ends before it starts";
	else if (!mem_map_add(&t->out->map, PA(start), PA(start + bytes), kind))
		t->error = "fdt: the memory map has too many ranges";
}

/* The first string of a property, cut if need be; its length. */
static int copy_text(const struct device_tree *t, int node, const char *property, char *to, size_t size)
{
	int n;
	const char *text = fdt_stringlist_get(t->fdt, node, property, 0, &n);

	if (!text)
		return 0;
	memcpy(to, text, MIN((size_t)n, size - 1));
	to[MIN((size_t)n, size - 1)] = '\0';
	return n;
}

/*
 * The node that stdout-path names, by path or by alias, up to a colon. libfdt follows aliases too, but 1.6.1 one that names itself
 * without end, and one that is not a string.
 */
static int find_console(const struct device_tree *t, int chosen)
{
	int n;
	const char *path = fdt_stringlist_get(t->fdt, chosen, "stdout-path", 0, &n);
	const char *colon = path ? memchr(path, ':', (size_t)n) : NULL;

	if (path && *path != '/')
		path = fdt_getprop_namelen(t->fdt, fdt_path_offset(t->fdt, "/aliases"), path, colon ? (int)(colon - path) : n, &n);
	else if (colon)
		n = (int)(colon - path);
	return path && n && *path == '/' ? fdt_path_offset_namelen(t->fdt, path, (int)strnlen(path, (size_t)n)) : -1;
}

/* What has a place of its own. */
static void find_named(struct device_tree *t)
{
	struct boot_info *out = t->out;
	int chosen = fdt_path_offset(t->fdt, "/chosen");

	copy_text(t, 0, "compatible", t->hw->board, sizeof(t->hw->board));
	if (copy_text(t, chosen, "bootargs", out->cmdline, sizeof(out->cmdline)) >= (int)sizeof(out->cmdline))
		out->line_error = "fdt: the command line is longer than 2047 bytes";
	t->console = find_console(t, chosen);
	t->reserved = fdt_path_offset(t->fdt, "/reserved-memory");
}

/* Memory that the loader wants left alone. */
static void read_reservations(struct device_tree *t)
{
	int n = fdt_num_mem_rsv(t->fdt);
	u64 start, bytes;

	if (n < 0 && !t->error)
		t->error = "fdt: the list of reserved memory has no end";
	for (int i = 0; i < n && !t->error; i++) {
		fdt_get_mem_rsv(t->fdt, i, &start, &bytes);
		tree_add_memory(t, start, bytes, MEM_RESERVED);
	}
}

/*
 * Every tag once, from one root to the end: what libfdt relies upon when it goes from node to node. 1.6.1 stands still where a
 * property's length is just below 2^32, so each tag has to end behind where it began.
 */
static const char *check_structure(const void *fdt)
{
	int depth = 0;

	for (int at = 0, next;; at = next) {
		u32 tag = fdt_next_tag(fdt, at, &next);

		if (next <= at)
			break;
		if (tag == FDT_BEGIN_NODE && (depth || !at)) {
			if (depth++ == FDT_DEPTH)
				return "fdt: nodes are nested too deeply";
		} else if (tag == FDT_END_NODE && depth) {
			depth--;
		} else if (tag == FDT_END && !depth && at) {
			return NULL;
		} else if (!(tag == FDT_NOP && at) && !(tag == FDT_PROP && depth)) {
			break;
		}
	}
	return "fdt: the structure block is damaged";
}

static const char *check_header(const void *fdt)
{
	switch (fdt_check_header(fdt)) {
	case 0:
		break;
	case -FDT_ERR_BADMAGIC:
		return "fdt: there is no device tree where the loader says";
	case -FDT_ERR_BADVERSION:
		return "fdt: the device tree's version is not known";
	case -FDT_ERR_ALIGNMENT:
		return "fdt: the device tree does not lie at a multiple of 8";
	default:
		return "fdt: the device tree has a wrong length";
	}
	/* libfdt reads cells of the structure, and reservations, as words. */
	if (fdt_off_dt_struct(fdt) % 4 || fdt_off_mem_rsvmap(fdt) % 8)
		return "fdt: the device tree's parts are not aligned";
	return fdt_totalsize(fdt) > BLOB_MAX ? "fdt: the device tree has a wrong length" : NULL;
}

static const char *read_all(struct device_tree *t, struct pa pa, phys_reader at)
{
	const void *header = at(pa, sizeof(struct fdt_header));

	t->error = header ? check_header(header) : "fdt: there is no device tree where the loader says";
	if (t->error)
		return t->error;
	t->fdt = at(pa, fdt_totalsize(header));
	t->error = t->fdt ? check_structure(t->fdt) : "fdt: the device tree cannot be read as a whole";
	if (t->error)
		return t->error;
	find_named(t);
	tree_judge_machine(t);
	hw_info_sort_nodes(t->hw);
	tree_judge_topology(t);
	read_reservations(t);
	return t->error;
}

void fdt_parse(struct pa pa, phys_reader at, struct boot_info *out, struct hw_info *hw)
{
	struct device_tree t = { .out = out, .hw = hw };

	memset(out, 0, sizeof(*out));
	hw_info_clear(hw);
	out->protocol = "fdt";
	out->tree = true;
	out->error = read_all(&t, pa, at);
	if (!out->error && !hw->nr_cpus)
		hw->error = "fdt: the device tree lists no enabled CPU";
}
