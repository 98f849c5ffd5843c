/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The little of ACPI that is needed: which CPUs there are (MADT), how to reset, stop and measure time (FADT). ACPI Specification
 * 6.5, 5.2.5 (RSDP) to 5.2.12 (MADT). Pure: memory is looked at through the reader given only. A table counts when its length is
 * plausible and its checksum right; entries of a kind that is not known are passed over.
 */
#include "boot_info.h"
#include "boot/bytes.h"
#include "lib/string.h"

#define HEADER 36 /* of every table: signature, length, revision, checksum, ... */
#define TABLE_MAX (1u << 20) /* longer is a lie: 1024 CPUs take 16 KiB */
#define RSDP_V1 20
#define RSDP_V2 36
#define NO_CPU_XAPIC 0xff /* ids that mean all CPUs */
#define NO_CPU_X2APIC 0xffffffff

struct table_kind {
	char signature[5];
	const char *unreadable, *wrong_length, *wrong_sum; /* what the error says */
};

#define TABLE_KIND(sig)                                                                        \
	{                                                                                      \
		.signature = sig, .unreadable = "acpi: table " sig " cannot be read",          \
		.wrong_length = "acpi: table " sig " has a wrong length",                      \
		.wrong_sum = "acpi: table " sig " has a wrong checksum",                       \
	}

static const struct table_kind kind_rsdt = TABLE_KIND("RSDT"), kind_xsdt = TABLE_KIND("XSDT"), kind_madt = TABLE_KIND("APIC"),
			       kind_fadt = TABLE_KIND("FACP");

static struct bytes read(phys_reader at, u64 pa, u64 n)
{
	const u8 *p = at(PA(pa), n);

	return (struct bytes){ p, p ? n : 0 };
}

static bool has_signature(struct bytes table, const struct table_kind *kind)
{
	return bytes_have(table, 0, 4) && memcmp(table.at, kind->signature, 4) == 0;
}

/* The whole table at pa, proved; nothing if it is not, then *error is set. */
static struct bytes read_table(phys_reader at, u64 pa, const struct table_kind *kind, const char **error)
{
	struct bytes table = read(at, pa, HEADER);
	u32 length = bytes_get32(table, 4);

	if (!has_signature(table, kind)) {
		*error = kind->unreadable;
	} else if (length < HEADER || length > TABLE_MAX) {
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

/* Firmware may list a CPU as local APIC and as x2APIC: it is one. */
static bool is_listed(const struct hw_info *out, u32 id)
{
	unsigned i;

	for (i = 0; i < out->nr_cpus; i++) {
		if (out->hw_id[i] == id)
			return true;
	}
	return false;
}

static void add_cpu(struct hw_info *out, u32 id, u32 no_cpu, u32 flags)
{
	if (!(flags & 1) || id == no_cpu)
		out->nr_disabled++;
	else if (is_listed(out, id))
		return;
	else if (out->nr_cpus == MAX_CPUS)
		out->nr_over_limit++;
	else
		out->hw_id[out->nr_cpus++] = id;
}

/* False: the entry is too short for its type. */
static bool read_madt_entry(struct bytes e, struct hw_info *out)
{
	switch (bytes_get(e, 0, 1)) {
	case 0: /* local APIC */
		if (e.n < 8)
			return false;
		add_cpu(out, (u32)bytes_get(e, 3, 1), NO_CPU_XAPIC, bytes_get32(e, 4));
		return true;
	case 5: /* local APIC address override */
		if (e.n < 12)
			return false;
		out->lapic = PA(bytes_get64(e, 4));
		return true;
	case 9: /* local x2APIC */
		if (e.n < 16)
			return false;
		add_cpu(out, bytes_get32(e, 4), NO_CPU_X2APIC, bytes_get32(e, 8));
		return true;
	default:
		return true;
	}
}

static const char *read_madt(struct bytes madt, struct hw_info *out)
{
	u64 at = 44, n;

	if (madt.n < at)
		return kind_madt.wrong_length;
	out->lapic = PA(bytes_get32(madt, 36));
	out->pcat = bytes_get32(madt, 40) & 1;
	for (; at < madt.n; at += n) {
		n = bytes_get(madt, at + 1, 1);
		if (n < 2 || !bytes_have(madt, at, n))
			return "acpi: an entry of table APIC does not fit into it";
		if (!read_madt_entry(bytes_sub(madt, at, n), out))
			return "acpi: an entry of table APIC is too short for its type";
	}
	if (!out->lapic.raw || out->lapic.raw % PAGE_SIZE)
		return "acpi: table APIC has a wrong local APIC address";
	if (!out->nr_cpus)
		return "acpi: table APIC lists no enabled CPU";
	return NULL;
}

/* An I/O port: the old field, or where that is 0 the generic address (space, width, offset, size, address). 0: none. */
static u32 fadt_port(struct bytes fadt, u64 old, u64 generic)
{
	u64 port = bytes_get32(fadt, old);

	if (!port && bytes_get(fadt, generic, 1) == 1)
		port = bytes_get64(fadt, generic + 4);
	return port <= 0xffff ? (u32)port : 0;
}

/* Fields that the table is too short for read as 0, which is what an absent one says. */
static const char *read_fadt(struct bytes fadt, struct hw_info *out)
{
	u32 flags = bytes_get32(fadt, 112);
	bool reset_supported = flags >> 10 & 1, hardware_reduced = flags >> 20 & 1;

	if (fadt.n < 116)
		return kind_fadt.wrong_length;
	if (!hardware_reduced) {
		out->pm1a_cnt_port = fadt_port(fadt, 64, 172);
		out->pm_timer_port = fadt_port(fadt, 76, 208);
	}
	out->reset.space = (u8)bytes_get(fadt, 116, 1);
	out->reset.address = bytes_get64(fadt, 120);
	out->reset.value = (u8)bytes_get(fadt, 128, 1);
	out->reset.present = reset_supported && fadt.n >= 129 && out->reset.space <= 1 && out->reset.address;
	return NULL;
}

/* The first table of each kind counts. */
static const char *read_tables(struct bytes root, bool xsdt, phys_reader at, struct hw_info *out)
{
	unsigned pointer = xsdt ? 8 : 4;
	bool madt_seen = false, fadt_seen = false;
	const char *error = NULL;
	struct bytes header;
	u64 i, pa;

	if ((root.n - HEADER) % pointer)
		return xsdt ? kind_xsdt.wrong_length : kind_rsdt.wrong_length;
	for (i = HEADER; !error && i < root.n; i += pointer) {
		pa = bytes_get(root, i, pointer);
		if (!pa)
			continue; /* seen on real machines */
		header = read(at, pa, HEADER);
		if (!header.at)
			return "acpi: a table that RSDT or XSDT names cannot be read";
		if (!madt_seen && has_signature(header, &kind_madt)) {
			madt_seen = true;
			header = read_table(at, pa, &kind_madt, &error);
			error = error ? error : read_madt(header, out);
		} else if (!fadt_seen && has_signature(header, &kind_fadt)) {
			fadt_seen = true;
			header = read_table(at, pa, &kind_fadt, &error);
			error = error ? error : read_fadt(header, out);
		}
	}
	if (!error && !madt_seen)
		return "acpi: there is no table APIC, which lists the CPUs";
	return error;
}

static const char *read_all(const struct boot_info *boot, phys_reader at, struct hw_info *out)
{
	const char *error;
	struct bytes root;
	u64 pa;
	bool xsdt;

	error = read_rsdp(rsdp_bytes(boot, at), out, &pa, &xsdt);
	if (error)
		return error;
	root = read_table(at, pa, xsdt ? &kind_xsdt : &kind_rsdt, &error);
	return error ? error : read_tables(root, xsdt, at, out);
}

void acpi_parse(const struct boot_info *boot, phys_reader at, struct hw_info *out)
{
	memset(out, 0, sizeof(*out));
	out->lapic = PA(0xfee00000);
	out->error = read_all(boot, at, out);
}
