/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI tables for unit tests: by hand, or as a machine has them; found through an RSDP, and parsed. */
#ifndef HOST_ACPI_TABLES_H
#define HOST_ACPI_TABLES_H

#include "host/firmware.h"

#define RSDP_PA 0xf5a30
#define MAX_TABLES 8

extern struct blob acpi_rsdp, acpi_root;
extern struct boot_info acpi_boot; /* where the RSDP is */
extern struct hw_info acpi_info; /* of the last acpi_parses() */

/* An empty table of revision 3; then, when all is in it, its length and checksum. */
void table_begin(struct blob *b, u64 pa, const char *signature);
void table_finish(struct blob *b);
void table_of(struct blob *b, u64 pa, const u8 *bytes, size_t n);

/* The tables that the RSDP leads to by XSDT or RSDT; NULL ends. */
void tables_are(bool xsdt, struct blob *const *tables);
void rsdp_fix(void); /* its checksums */

/* Parses. What came out makes sense, whatever went in; false: it is an error. */
bool acpi_parses(void);

/* Something a lying firmware might do to these: a few random changes, mostly with checksums that are right. */
void tables_mutate(struct blob *const *tables, u64 *seed);

#endif
