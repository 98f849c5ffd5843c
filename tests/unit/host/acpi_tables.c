/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI tables for unit tests. */
#include "host/acpi_tables.h"

#include "unit.h"

struct blob acpi_rsdp, acpi_root;
struct boot_info acpi_boot;
struct hw_info acpi_info;
static struct blob *pieces[MAX_TABLES + 3];

void table_begin(struct blob *b, u64 pa, const char *signature)
{
	b->pa = pa;
	b->n = 0;
	blob_text(b, signature, 4);
	blob_put(b, 4, 0); /* length */
	blob_put(b, 2, 3); /* revision, checksum */
	blob_text(b, "BOCHS BXPC    \1\0\0\0BXPC\1\0\0\0", 26);
}

void table_finish(struct blob *b)
{
	blob_set(b, 4, 4, b->n);
	blob_fix_sum(b, b->n, 9);
}

void table_of(struct blob *b, u64 pa, const u8 *bytes, size_t n)
{
	b->pa = pa;
	b->n = n;
	memcpy(b->b, bytes, n);
}

void rsdp_fix(void)
{
	blob_fix_sum(&acpi_rsdp, 20, 8);
	if (acpi_rsdp.n == 36)
		blob_fix_sum(&acpi_rsdp, 36, 32);
}

static void make_rsdp(bool xsdt)
{
	acpi_rsdp.pa = RSDP_PA;
	acpi_rsdp.n = 0;
	blob_text(&acpi_rsdp, "RSD PTR ", 8);
	blob_put(&acpi_rsdp, 1, 0);
	blob_text(&acpi_rsdp, "BOCHS ", 6);
	blob_put(&acpi_rsdp, 1, xsdt ? 2 : 0);
	blob_put(&acpi_rsdp, 4, xsdt ? 0xdead000 : acpi_root.pa);
	if (xsdt) {
		blob_put(&acpi_rsdp, 4, 36);
		blob_put(&acpi_rsdp, 8, acpi_root.pa);
		blob_put(&acpi_rsdp, 4, 0);
	}
	rsdp_fix();
}

void tables_are(bool xsdt, struct blob *const *tables)
{
	unsigned n = 0;

	pieces[n++] = &acpi_rsdp;
	pieces[n++] = &acpi_root;
	table_begin(&acpi_root, 0x7fe0000, xsdt ? "XSDT" : "RSDT");
	for (; *tables; tables++) {
		blob_put(&acpi_root, xsdt ? 8 : 4, (*tables)->pa);
		pieces[n++] = *tables;
	}
	pieces[n] = NULL;
	table_finish(&acpi_root);
	make_rsdp(xsdt);
	memset(&acpi_boot, 0, sizeof(acpi_boot));
	acpi_boot.rsdp = PA(RSDP_PA);
	phys_is(pieces);
}

static void expect_sane_topology(const struct hw_info *hw)
{
	EXPECT(hw->nr_nodes <= MAX_NODES && hw->nr_node_ranges <= MAX_NODE_RANGES);
	EXPECT(!hw->warning || (*hw->warning && !strchr(hw->warning, '\n')));
	for (unsigned i = 0; i < hw->nr_cpus; i++) {
		const u32 *at = hw->place[i].at;

		EXPECT(at[LEVEL_NODE] == NOT_TOLD || at[LEVEL_NODE] < hw->nr_nodes);
		EXPECT((at[LEVEL_CORE] == NOT_TOLD) == (at[LEVEL_PACKAGE] == NOT_TOLD));
		EXPECT(hw->places_by || at[LEVEL_CORE] == NOT_TOLD);
	}
	for (unsigned i = 0; i < hw->nr_node_ranges; i++)
		EXPECT(hw->node_range[i].node < hw->nr_nodes && hw->node_range[i].start.raw < hw->node_range[i].end.raw);
	for (unsigned i = 0; hw->distances_told && i < hw->nr_nodes; i++)
		for (unsigned j = 0; j < hw->nr_nodes; j++)
			EXPECT(i == j ? hw->distance[i][j] == 10 : hw->distance[i][j] > 10);
}

static void expect_sane_console(const struct console *c)
{
	if (c->kind == CONSOLE_NONE)
		return;
	EXPECT(c->address && (c->width == 1 || c->width == 2 || c->width == 4) && c->stride >= c->width && c->stride <= 4);
	EXPECT(c->address % c->width == 0 && (!c->port || (c->kind == CONSOLE_16550 && c->address <= 0xfff8)));
}

bool acpi_parses(void)
{
	const struct hw_info *hw = &acpi_info;

	acpi_parse(&acpi_boot, phys_read, &acpi_info);
	phys_free_reads();
	EXPECT(hw->nr_cpus <= MAX_CPUS);
	if (hw->error) {
		EXPECT(*hw->error && !strchr(hw->error, '\n'));
		return false;
	}
	EXPECT(hw->nr_cpus > 0);
	EXPECT(hw->gic || hw->lapic.raw % 4096 == 0);
	EXPECT(hw->gic == 0 || hw->gic == 2 || hw->gic == 3);
	EXPECT(hw->nr_redists <= MAX_REDISTS);
	EXPECT(hw->pm_timer_port <= 0xffff && hw->pm1a_cnt_port <= 0xffff);
	EXPECT(!hw->timer_irq || (hw->timer_irq >= 16 && hw->timer_irq < 32));
	for (unsigned i = 0; i < hw->nr_cpus; i++)
		for (unsigned j = 0; j < i; j++)
			EXPECT(hw->hw_id[i] != hw->hw_id[j]);
	expect_sane_topology(hw);
	expect_sane_console(&hw->console);
	return true;
}

void tables_mutate(struct blob *const *tables, u64 *seed)
{
	unsigned nr = 0;

	while (tables[nr])
		nr++;
	for (unsigned n = 1 + (unsigned)random_of(seed, 4); n; n--)
		blob_mutate(tables[random_of(seed, nr)], seed);
	for (unsigned i = 0; i < nr; i++) /* liars know how to add */
		if (tables[i]->n >= 10 && random_of(seed, 8))
			blob_fix_sum(tables[i], MIN(tables[i]->n, MAX(blob_get(tables[i], 4, 4), 10)), 9);
}
