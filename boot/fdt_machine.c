/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The nodes of a device tree that say what hardware there is: memory, CPUs, PSCI, interrupt controller, timer, console. Bindings
 * arm,gic, arm,gic-v3, psci, arm,armv8-timer, pl011, arm,sbsa-uart, 8250. Pure. Addresses are physical ones where every bus above
 * has an empty `ranges`; what is behind another kind of bus is passed over.
 */
#include "boot/fdt.h"

#include "lib/string.h"

struct node {
	int at, parent;
	bool addressable; /* its addresses are physical ones */
};

static bool is_enabled(const struct device_tree *t, const struct node *node)
{
	return !fdt_getprop(t->fdt, node->at, "status", NULL) || tree_says(t, node->at, "status", "okay") ||
	       tree_says(t, node->at, "status", "ok");
}

/* Entry `i` of `reg`. False: there is none, or its numbers have no form that is known. */
static bool reg_entry(const struct device_tree *t, const struct node *node, unsigned i, u64 *start, u64 *bytes)
{
	u32 a, s, cell = 0;
	bool whole = true;

	if (!tree_cell(t, node->parent, "#address-cells", 0, &a))
		a = 2;
	if (!tree_cell(t, node->parent, "#size-cells", 0, &s))
		s = 1;
	if (a < 1 || a > 2 || s > 2)
		return false;
	*start = *bytes = 0;
	for (unsigned n = 0; n < a + s; n++) {
		u64 *number = n < a ? start : bytes;

		whole = whole && tree_cell(t, node->at, "reg", i * (a + s) + n, &cell);
		*number = *number << 32 | cell;
	}
	return whole;
}

static void add_memory(struct device_tree *t, const struct node *node, enum mem_kind kind)
{
	u64 start, bytes;
	u32 domain;

	for (unsigned i = 0; !t->error && reg_entry(t, node, i, &start, &bytes); i++) {
		tree_add_memory(t, start, bytes, kind);
		if (!t->error && kind == MEM_USABLE && tree_cell(t, node->at, "numa-node-id", 0, &domain))
			hw_info_node_range(t->hw, start, bytes, domain);
	}
}

static void add_cpu(struct device_tree *t, const struct node *node)
{
	u64 id, unused;
	unsigned cpu;
	u32 domain;

	if (!reg_entry(t, node, 0, &id, &unused)) {
		t->error = "fdt: a CPU has no reg";
		return;
	}
	if (!is_enabled(t, node)) {
		t->hw->nr_disabled++;
		return;
	}
	cpu = hw_info_add_cpu(t->hw, hw_id_of_mpidr(id), fdt_get_phandle(t->fdt, node->at));
	if (cpu < MAX_CPUS && tree_cell(t, node->at, "numa-node-id", 0, &domain)) {
		t->hw->place[cpu].at[LEVEL_NODE] = hw_info_node(t->hw, domain);
		t->hw->nodes_by = "numa-node-id";
	}
}

static void add_gic(struct device_tree *t, const struct node *node, unsigned version)
{
	struct hw_info *hw = t->hw;
	u64 start, bytes;

	if (hw->gic || !reg_entry(t, node, 0, &start, &bytes))
		return;
	hw->gic_dist = PA(start);
	for (unsigned i = 1; reg_entry(t, node, i, &start, &bytes); i++) {
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

/* A power of two up to 4; what says nothing, or nonsense, is 1. */
static unsigned small_power(u64 value)
{
	return value == 2 || value == 4 ? (unsigned)value : 1;
}

/* The node that /chosen names, else the first one. */
static void add_uart(struct device_tree *t, const struct node *node, enum console_kind kind)
{
	struct console *c = &t->hw->console;
	u64 start, bytes;
	u32 value;

	if ((c->kind && node->at != t->console) || !reg_entry(t, node, 0, &start, &bytes))
		return;
	*c = (struct console){ .kind = kind, .address = start, .stride = 4, .width = 4 };
	if (kind == CONSOLE_16550) {
		tree_cell(t, node->at, "reg-io-width", 0, &value);
		c->width = small_power(value);
		tree_cell(t, node->at, "reg-shift", 0, &value);
		c->stride = MAX(c->width, small_power(1ull << (value & 7)));
	}
	if (start % c->width)
		*c = (struct console){ 0 };
}

/* Three cells an interrupt: kind (1: private to a CPU), number, trigger; the virtual timer's is the third. */
static void add_timer(struct device_tree *t, const struct node *node)
{
	u32 kind, number;

	if (tree_cell(t, node->at, "interrupts", 6, &kind) && tree_cell(t, node->at, "interrupts", 7, &number) && kind == 1 &&
	    number < 16)
		t->hw->timer_irq = 16 + number;
}

static void judge_device(struct device_tree *t, const struct node *node)
{
	int n;
	const char *list = fdt_getprop(t->fdt, node->at, "compatible", &n);
#define COMPATIBLE(with) fdt_stringlist_contains(list, n, with)

	if (!list || !is_enabled(t, node))
		return;
	if (COMPATIBLE("arm,psci-0.2") || COMPATIBLE("arm,psci-1.0"))
		t->hw->psci = tree_says(t, node->at, "method", "hvc")	? PSCI_HVC
			      : tree_says(t, node->at, "method", "smc") ? PSCI_SMC
									: PSCI_NONE;
	else if (COMPATIBLE("arm,armv8-timer"))
		add_timer(t, node);
	else if (!node->addressable)
		return;
	else if (COMPATIBLE("arm,gic-v3"))
		add_gic(t, node, 3);
	else if (COMPATIBLE("arm,cortex-a15-gic") || COMPATIBLE("arm,gic-400"))
		add_gic(t, node, 2);
	else if (COMPATIBLE("arm,pl011"))
		add_uart(t, node, CONSOLE_PL011);
	else if (COMPATIBLE("arm,sbsa-uart"))
		add_uart(t, node, CONSOLE_SBSA);
	else if (COMPATIBLE("ns16550a") || COMPATIBLE("snps,dw-apb-uart"))
		add_uart(t, node, CONSOLE_16550);
#undef COMPATIBLE
}

static void judge(struct device_tree *t, const struct node *node)
{
	if (tree_says(t, node->at, "device_type", "memory")) {
		if (is_enabled(t, node)) /* else it is the secure world's */
			add_memory(t, node, MEM_USABLE);
	} else if (tree_says(t, node->at, "device_type", "cpu")) {
		add_cpu(t, node);
	} else if (node->parent == t->reserved) {
		add_memory(t, node, MEM_RESERVED);
	} else {
		judge_device(t, node);
	}
}

static void judge_children(struct device_tree *t, int parent, bool addressable)
{
	struct node node = { .parent = parent, .addressable = addressable };
	int ranges;

	fdt_for_each_subnode(node.at, t->fdt, parent) {
		if (t->error)
			return;
		judge(t, &node);
		fdt_getprop(t->fdt, node.at, "ranges", &ranges);
		judge_children(t, node.at, addressable && !ranges); /* there, and empty */
	}
}

void tree_judge_machine(struct device_tree *t)
{
	judge_children(t, 0, true);
}
