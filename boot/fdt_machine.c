/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes of a device tree that say what hardware there is: memory, CPUs, PSCI, interrupt controller, timer, console. Pure. */
#include "boot/fdt.h"

#include "lib/string.h"

/* Of a CPU's node, or of memory's: firmware's number of its NUMA node. False: it says none. */
static bool domain_of(const struct walk *w, u32 *domain)
{
	*domain = fdt_be32(w->own.numa_node_id, 0);
	return w->own.numa_node_id.n == 4;
}

static void add_reg_memory(struct walk *w, enum mem_kind kind)
{
	u64 start, bytes;
	u32 domain;

	for (unsigned i = 0; !w->error && fdt_reg_entry(w, i, &start, &bytes); i++) {
		fdt_add_memory(w, start, bytes, kind);
		if (!w->error && kind == MEM_USABLE && domain_of(w, &domain))
			hw_info_node_range(w->hw, start, bytes, domain);
	}
}

static void add_cpu(struct walk *w)
{
	u64 id, unused;
	unsigned cpu;
	u32 domain;

	if (!fdt_reg_entry(w, 0, &id, &unused)) {
		w->error = "fdt: a CPU has no reg";
		return;
	}
	if (!fdt_is_enabled(w)) {
		w->hw->nr_disabled++;
		return;
	}
	cpu = hw_info_add_cpu(w->hw, hw_id_of_mpidr(id), fdt_be32(w->own.phandle, 0));
	if (cpu < MAX_CPUS && domain_of(w, &domain)) {
		w->hw->place[cpu].at[LEVEL_NODE] = hw_info_node(w->hw, domain);
		w->hw->nodes_by = "numa-node-id";
	}
}

static void add_gic(struct walk *w, unsigned version)
{
	struct hw_info *hw = w->hw;
	u64 start, bytes;

	if (hw->gic || !fdt_reg_entry(w, 0, &start, &bytes))
		return;
	hw->gic_dist = PA(start);
	for (unsigned i = 1; fdt_reg_entry(w, i, &start, &bytes); i++) {
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

/* The node that /chosen names, else the first one. Bindings pl011, arm,sbsa-uart, 8250. */
static void add_uart(struct walk *w, enum console_kind kind)
{
	struct bytes path = { (const u8 *)w->path, strlen(w->path) };
	bool chosen = path.n && path.n <= w->console.n && !memcmp(path.at, w->console.at, path.n);
	struct console *c = &w->hw->console;
	u64 start, bytes;

	chosen = chosen && (path.n == w->console.n || w->console.at[path.n] == ':' || !w->console.at[path.n]);
	if ((c->kind && !chosen) || !fdt_reg_entry(w, 0, &start, &bytes))
		return;
	*c = (struct console){ .kind = kind, .address = start, .stride = 4, .width = 4 };
	if (kind == CONSOLE_16550) {
		c->width = small_power(fdt_be32(w->own.reg_io_width, 0));
		c->stride = MAX(c->width, small_power(1ull << (fdt_be32(w->own.reg_shift, 0) & 7)));
	}
	if (start % c->width)
		*c = (struct console){ 0 };
}

/* Three cells an interrupt: kind (1: private to a CPU), number, trigger; the virtual timer's is the third. */
static void add_timer(struct walk *w)
{
	if (bytes_have(w->own.interrupts, 24, 12) && fdt_be32(w->own.interrupts, 24) == 1 && fdt_be32(w->own.interrupts, 28) < 16)
		w->hw->timer_irq = 16 + fdt_be32(w->own.interrupts, 28);
}

static void judge_device(struct walk *w)
{
	struct bytes c = w->own.compatible;

	if (!fdt_is_enabled(w))
		return;
	if (fdt_has_text(c, "arm,psci-0.2") || fdt_has_text(c, "arm,psci-1.0"))
		w->hw->psci = fdt_is_text(w->own.method, "hvc") ? PSCI_HVC :
			      fdt_is_text(w->own.method, "smc") ? PSCI_SMC :
								  PSCI_NONE;
	else if (fdt_has_text(c, "arm,armv8-timer"))
		add_timer(w);
	else if (!w->node[w->depth - 2].addressable)
		return;
	else if (fdt_has_text(c, "arm,gic-v3"))
		add_gic(w, 3);
	else if (fdt_has_text(c, "arm,cortex-a15-gic") || fdt_has_text(c, "arm,gic-400"))
		add_gic(w, 2);
	else if (fdt_has_text(c, "arm,pl011"))
		add_uart(w, CONSOLE_PL011);
	else if (fdt_has_text(c, "arm,sbsa-uart"))
		add_uart(w, CONSOLE_SBSA);
	else if (fdt_has_text(c, "ns16550a") || fdt_has_text(c, "snps,dw-apb-uart"))
		add_uart(w, CONSOLE_16550);
}

void fdt_judge_machine(struct walk *w)
{
	struct node *node = &w->node[w->depth - 1];

	node->addressable = w->depth == 1 || (node[-1].addressable && node->has_ranges);
	if (w->depth == 1)
		return;
	if (fdt_is_text(w->own.device_type, "memory")) {
		if (fdt_is_enabled(w)) /* else it is the secure world's */
			add_reg_memory(w, MEM_USABLE);
	} else if (fdt_is_text(w->own.device_type, "cpu")) {
		add_cpu(w);
	} else if (w->depth == 3 && fdt_is_text(node[-1].name, "reserved-memory")) {
		add_reg_memory(w, MEM_RESERVED);
	} else {
		judge_device(w);
	}
}

