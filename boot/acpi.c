/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI's tables: found, proved, handed to who reads them, in an order in which that can be done. ACPI Specification 6.5, 5.2.5
 * (RSDP) to 5.2.8 (XSDT). Pure: memory is looked at through the reader given only. A table counts when its length is plausible and
 * its checksum right; entries of a kind that is not known are passed over.
 */
#include "boot/acpi.h"

#include "lib/string.h"

#define TABLE_MAX (1u << 20) /* longer is a lie: 1024 CPUs take 80 KiB */
#define RSDP_V1 20
#define RSDP_V2 36

static const struct acpi_kind kind_rsdt = ACPI_KIND("RSDT"), kind_xsdt = ACPI_KIND("XSDT");

static struct bytes read(phys_reader at, u64 pa, u64 n)
{
	const u8 *p = at(PA(pa), n);

	return (struct bytes){ p, p ? n : 0 };
}

static bool has_signature(struct bytes table, const struct acpi_kind *kind)
{
	return bytes_have(table, 0, 4) && memcmp(table.at, kind->signature, 4) == 0;
}

/* The whole table at pa, proved; nothing if it is not, then *error is set. */
static struct bytes read_table(phys_reader at, u64 pa, const struct acpi_kind *kind, const char **error)
{
	struct bytes table = read(at, pa, ACPI_HEADER);
	u32 length = bytes_get32(table, 4);

	if (!has_signature(table, kind)) {
		*error = kind->unreadable;
	} else if (length < ACPI_HEADER || length > TABLE_MAX) {
		*error = kind->wrong_length;
	} else {
		table = read(at, pa, length);
		if (!table.at)
			*error = kind->unreadable;
		else if (bytes_sum(table))
			*error = kind->wrong_sum;
		else
			return table;
	}
	return (struct bytes){ NULL, 0 };
}

/* The RSDP's bytes: the copy that the loader made, or what is in memory. */
static struct bytes rsdp_bytes(const struct boot_info *boot, phys_reader at)
{
	struct bytes rsdp = { boot->rsdp_copy, boot->rsdp_bytes };

	if (rsdp.n || !boot->rsdp.raw)
		return rsdp;
	rsdp = read(at, boot->rsdp.raw, RSDP_V1);
	if (bytes_get(rsdp, 15, 1) >= 2)
		rsdp = read(at, boot->rsdp.raw, RSDP_V2);
	return rsdp;
}

/* Where the table of tables is: XSDT if there is one. */
static const char *read_rsdp(struct bytes rsdp, struct hw_info *out, u64 *root, bool *xsdt)
{
	if (!rsdp.n)
		return "acpi: the loader gave no RSDP that can be read";
	if (rsdp.n < RSDP_V1 || memcmp(rsdp.at, "RSD PTR ", 8) != 0)
		return "acpi: the RSDP is too short or has a wrong signature";
	if (bytes_sum(bytes_sub(rsdp, 0, RSDP_V1)))
		return "acpi: the RSDP has a wrong checksum";
	memcpy(out->oem, rsdp.at + 9, 6);
	*root = bytes_get32(rsdp, 16);
	*xsdt = false;
	/* A loader may copy the first version's part only, whatever the revision says. */
	if (bytes_get(rsdp, 15, 1) < 2 || rsdp.n == RSDP_V1)
		return NULL;
	if (rsdp.n < RSDP_V2 || bytes_get32(rsdp, 20) != RSDP_V2)
		return "acpi: the RSDP has a wrong length";
	if (bytes_sum(bytes_sub(rsdp, 0, RSDP_V2)))
		return "acpi: the RSDP has a wrong extended checksum";
	*xsdt = bytes_get64(rsdp, 24) != 0;
	if (*xsdt)
		*root = bytes_get64(rsdp, 24);
	return NULL;
}

/* In the order in which they are read: what follows the MADT says things about its CPUs. */
static const struct {
	struct acpi_kind kind;
	acpi_reader *read;
	bool optional; /* a run can do without: if something is wrong with it, that is a warning, and nothing of it counts */
} tables[] = {
	{ ACPI_KIND("APIC"), acpi_read_madt, false }, { ACPI_KIND("FACP"), acpi_read_fadt, false },
	{ ACPI_KIND("GTDT"), acpi_read_gtdt, false }, { ACPI_KIND("SPCR"), acpi_read_spcr, true },
	{ ACPI_KIND("PPTT"), acpi_read_pptt, true },  { ACPI_KIND("SRAT"), acpi_read_srat, true },
	{ ACPI_KIND("SLIT"), acpi_read_slit, true },
};

#define NR_TABLES ARRAY_SIZE(tables)

/* Addresses of those that are there, else 0. The first table of each kind counts. */
static const char *find_tables(struct bytes root, bool xsdt, phys_reader at, u64 *found)
{
	unsigned pointer = xsdt ? 8 : 4;
	struct bytes header;
	u64 i, pa;

	if ((root.n - ACPI_HEADER) % pointer)
		return xsdt ? kind_xsdt.wrong_length : kind_rsdt.wrong_length;
	for (i = ACPI_HEADER; i < root.n; i += pointer) {
		pa = bytes_get(root, i, pointer);
		if (!pa)
			continue; /* seen on real machines */
		header = read(at, pa, ACPI_HEADER);
		if (!header.at)
			return "acpi: a table that RSDT or XSDT names cannot be read";
		for (size_t t = 0; t < NR_TABLES; t++)
			if (!found[t] && has_signature(header, &tables[t].kind))
				found[t] = pa;
	}
	return found[0] ? NULL : "acpi: there is no table APIC, which lists the CPUs";
}

static const char *read_tables(const u64 *found, phys_reader at, struct hw_info *out)
{
	for (size_t t = 0; t < NR_TABLES; t++) {
		const char *error = NULL;
		struct bytes table;

		if (!found[t])
			continue;
		table = read_table(at, found[t], &tables[t].kind, &error);
		if (!error)
			error = tables[t].read(&tables[t].kind, table, out);
		if (error && !tables[t].optional)
			return error;
		if (error && !out->warning)
			out->warning = error;
	}
	return NULL;
}

static const char *read_all(const struct boot_info *boot, phys_reader at, struct hw_info *out)
{
	u64 found[NR_TABLES] = { 0 }, pa;
	const char *error;
	struct bytes root;
	bool xsdt;

	error = read_rsdp(rsdp_bytes(boot, at), out, &pa, &xsdt);
	if (error)
		return error;
	root = read_table(at, pa, xsdt ? &kind_xsdt : &kind_rsdt, &error);
	if (!error)
		error = find_tables(root, xsdt, at, found);
	return error ? error : read_tables(found, at, out);
}

const char *acpi_entries(const struct acpi_kind *kind, struct bytes table, u64 at, acpi_entry *each, struct hw_info *out)
{
	u64 n;

	for (; at < table.n; at += n) {
		n = bytes_get(table, at + 1, 1);
		if (n < 2 || !bytes_have(table, at, n))
			return kind->no_fit;
		if (!each(bytes_sub(table, at, n), table, out))
			return kind->too_short;
	}
	return NULL;
}

void acpi_parse(const struct boot_info *boot, phys_reader at, struct hw_info *out)
{
	hw_info_clear(out);
	out->lapic = PA(0xfee00000);
	out->error = read_all(boot, at, out);
}
