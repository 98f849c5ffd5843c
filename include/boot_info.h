/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the firmware and the loader told, in one form for all of them. Filled by pure parsers: (bytes, length) -> struct with a
 * status. They read nothing outside the bytes given, check every length and checksum, and never panic.
 */
#ifndef BOOT_INFO_H
#define BOOT_INFO_H

#include "types.h"

enum mem_kind { MEM_USABLE, MEM_ACPI, MEM_RESERVED };

struct mem_range {
	struct pa start, end; /* [start, end), not rounded */
	enum mem_kind kind;
};

#define MAX_MEM_RANGES 128

struct mem_map {
	unsigned nr;
	struct mem_range range[MAX_MEM_RANGES]; /* sorted by start, disjoint: where ranges overlap the least usable kind wins */
};

struct boot_info {
	const char *error; /* NULL: all well; else one line, and nothing below is to be trusted */
	const char *protocol; /* "multiboot2", "pvh", "fdt" */
	char loader[64]; /* its name as it gave it, "" if it did not */
	char cmdline[2048];
	struct mem_map map;
	struct pa rsdp; /* PVH: where it is; 0 if unknown */
	u8 rsdp_copy[36]; /* multiboot2: tag 15, or 14; in rsdp_bytes its length, 0 if none */
	unsigned rsdp_bytes;
};

enum psci { PSCI_NONE, PSCI_SMC, PSCI_HVC }; /* how its calls are made */

#define MAX_REDISTS 8

/* What hardware there is: by ACPI, or by a device tree. CPUs: enabled ones, as listed; the boot CPU may stand anywhere. */
struct hw_info {
	const char *error; /* NULL: all well */
	unsigned nr_cpus; /* in hw_id[] */
	unsigned nr_disabled; /* listed, but not enabled; online-capable ones too: they are not there now */
	unsigned nr_over_limit; /* enabled, but beyond MAX_CPUS */
	u32 hw_id[MAX_CPUS]; /* APIC id; arm64: affinity 3, 2, 1, 0 of MPIDR_EL1, a byte each */

	/* x86: ACPI */
	struct pa lapic; /* 0xfee00000 if nothing else is said */
	bool pcat; /* dual 8259s are there and must be masked */
	struct {
		bool present;
		u8 space; /* 0 memory, 1 I/O port */
		u64 address;
		u8 value;
	} reset; /* FADT reset register */
	u32 pm_timer_port; /* FADT PM_TMR_BLK, 0 if none */
	u32 pm1a_cnt_port; /* FADT PM1a_CNT_BLK, 0 if none */
	char oem[8]; /* of the RSDP: names QEMU ("BOCHS ") and others */

	/* arm64: device tree */
	char board[48]; /* the root's first "compatible" */
	struct pa uart; /* a PL011; 0: none */
	enum psci psci;
	u32 timer_irq; /* interrupt id of the virtual timer, 0: not told */
	unsigned gic; /* architecture version: 2, 3; 0: none that is known */
	struct pa gic_dist, gic_cpu; /* distributor; version 2: CPU interface */
	unsigned nr_redists;
	struct {
		struct pa start;
		u64 bytes;
	} redist[MAX_REDISTS]; /* version 3 */
};

/* Fill *out, all of it. Not returned by value: 5 KiB, twice, on a stack of 16. `length`: how much can be read at most. */
void multiboot2_parse(const void *bytes, size_t length, struct boot_info *out);

/* Reads physical memory through `at`; NULL from it means "not reachable" and is an error in the tables, not of ours. */
typedef const void *(*phys_reader)(struct pa pa, u64 bytes);

void pvh_parse(struct pa start_info, phys_reader at, struct boot_info *out);
void fdt_parse(struct pa blob, phys_reader at, struct boot_info *out, struct hw_info *hw);
void acpi_parse(const struct boot_info *boot, phys_reader at, struct hw_info *out);

/* Adds a range; keeps `map` sorted and disjoint. False: no room. */
bool mem_map_add(struct mem_map *map, struct pa start, struct pa end, enum mem_kind kind);

#endif
