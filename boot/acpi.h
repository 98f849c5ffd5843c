/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between boot/acpi.c, which finds and proves the tables, and the files that read them: acpi_machine.c (MADT, FADT, GTDT, SPCR) and
 * acpi_topology.c (PPTT, SRAT, SLIT). The same for every ISA: a table that another one's firmware has says nothing there.
 */
#ifndef BOOT_ACPI_H
#define BOOT_ACPI_H

#include "boot/bytes.h"
#include "boot_info.h"

#define ACPI_HEADER 36 /* of every table: signature, length, revision, checksum, ... */

struct acpi_kind {
	char signature[5];
	const char *unreadable, *wrong_length, *wrong_sum, *no_fit, *too_short; /* what the error says */
};

#define ACPI_KIND(sig)                                                                        \
	{                                                                                     \
		.signature = sig, .unreadable = "acpi: table " sig " cannot be read",         \
		.wrong_length = "acpi: table " sig " has a wrong length",                     \
		.wrong_sum = "acpi: table " sig " has a wrong checksum",                      \
		.no_fit = "acpi: an entry of table " sig " does not fit into it",             \
		.too_short = "acpi: an entry of table " sig " is too short for its type",     \
	}

/* Reads a whole table, whose length and checksum are right, into *out. NULL, or what is wrong with it. */
typedef const char *acpi_reader(const struct acpi_kind *kind, struct bytes table, struct hw_info *out);

acpi_reader acpi_read_madt, acpi_read_fadt, acpi_read_gtdt, acpi_read_spcr; /* acpi_machine.c */
acpi_reader acpi_read_pptt, acpi_read_srat, acpi_read_slit; /* acpi_topology.c: CPUs are known by then */

/*
 * `each` for every entry from offset `at`: a byte of type, a byte of length, what the type says. False from it: the entry is too
 * short for its type. Returns NULL, or what is wrong.
 */
typedef bool acpi_entry(struct bytes entry, struct bytes table, struct hw_info *out);
const char *acpi_entries(const struct acpi_kind *kind, struct bytes table, u64 at, acpi_entry *each, struct hw_info *out);

#endif
