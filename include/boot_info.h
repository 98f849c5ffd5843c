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
	const char *protocol; /* "multiboot2", "pvh", "fdt", "efi" */
	char loader[64]; /* its name as it gave it, "" if it did not; efi: the firmware's */
	char cmdline[2048];
	const char *line_error; /* NULL; or what is wrong with the command line alone, of which the beginning is in cmdline */
	struct mem_map map;
	struct pa rsdp; /* PVH, efi: where it is; 0 if unknown */
	u8 rsdp_copy[36]; /* multiboot2: tag 15, or 14; in rsdp_bytes its length, 0 if none */
	unsigned rsdp_bytes;
	bool tree; /* a device tree said what hardware there is; else ACPI has to */
	const char *secure_boot; /* efi: "off", "on", or "unknown"; else NULL */
};

enum psci { PSCI_NONE, PSCI_SMC, PSCI_HVC }; /* how its calls are made */

enum console_kind { CONSOLE_NONE, CONSOLE_16550, CONSOLE_PL011, CONSOLE_SBSA }; /* SBSA: a PL011 without line control */

/* The console that firmware names. A 16550's registers are `stride` bytes apart and are accessed by `width` bytes. */
struct console {
	enum console_kind kind;
	bool port; /* the address is an I/O port's */
	u64 address;
	unsigned stride, width;
	u32 baud; /* 0: as firmware left it */
};

/* What CPUs share, from far to near; two CPUs share what has the same number at a level, if it is told. */
enum level { LEVEL_NODE, LEVEL_PACKAGE, LEVEL_COMPLEX, LEVEL_CORE, LEVEL_THREAD, NR_LEVELS };
#define NOT_TOLD 0xffffffffu

/* LEVEL_NODE: index into domain[] of struct hw_info. LEVEL_THREAD: number in its core. LEVEL_COMPLEX: cores with a cache. */
struct place {
	u32 at[NR_LEVELS];
};

#define MAX_REDISTS 32
#define MAX_NODES 64
#define MAX_NODE_RANGES 128
#define UNREACHABLE 255 /* as a distance */

/* What hardware there is: by ACPI, or by a device tree. CPUs: enabled ones, as listed; the boot CPU may stand anywhere. */
struct hw_info {
	const char *error; /* NULL: all well */
	const char *warning; /* what is told wrongly, but can be done without; else NULL */
	unsigned nr_cpus; /* in hw_id[] */
	unsigned nr_disabled; /* listed, but not enabled; online-capable ones too: they are not there now */
	unsigned nr_over_limit; /* enabled, but beyond MAX_CPUS */
	u32 hw_id[MAX_CPUS]; /* APIC id; arm64: affinity 3, 2, 1, 0 of MPIDR_EL1, a byte each */
	u32 handle[MAX_CPUS]; /* the number that other tables call it by: ACPI's processor UID, a device tree's phandle */

	/* Topology: ACPI's PPTT, SRAT and SLIT; a device tree's cpu-map, numa-node-id and distance-map. */
	const char *places_by, *nodes_by; /* which of these; NULL: none */
	struct place place[MAX_CPUS]; /* by position in hw_id[]; NOT_TOLD where nothing is said */
	unsigned nr_nodes, nr_node_ranges;
	u32 domain[MAX_NODES]; /* firmware's number of the node */
	bool distances_told;
	u8 distance[MAX_NODES][MAX_NODES]; /* from, to; 10: itself */
	struct {
		struct pa start, end;
		u32 node;
	} node_range[MAX_NODE_RANGES]; /* of memory */

	struct console console;

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
	char hypervisor[9]; /* as the FADT tells: "QEMU"; "" if it doesn't */

	/* arm64: device tree or ACPI */
	char board[48]; /* device tree: the root's first "compatible" */
	enum psci psci;
	u32 timer_irq; /* interrupt id of the virtual timer, 0: not told */
	unsigned gic; /* architecture version: 2, 3; 0: none that is known */
	struct pa gic_dist, gic_cpu; /* distributor; version 2: CPU interface */
	unsigned nr_redists;
	struct {
		struct pa start;
		u64 bytes;
	} redist[MAX_REDISTS]; /* version 3 */
	struct pa own_redist[MAX_CPUS]; /* by position: where it is told for each CPU; else 0, and it is in one of redist[] */
};

/* Nothing is told. */
void hw_info_clear(struct hw_info *hw);

/* A CPU that is enabled: once, and counted only beyond MAX_CPUS. Its position; MAX_CPUS: none. */
unsigned hw_info_add_cpu(struct hw_info *hw, u32 hw_id, u32 handle);

/* Position of the CPU that has this id, or that is called so; MAX_CPUS: none. */
unsigned hw_info_find_id(const struct hw_info *hw, u32 hw_id);
unsigned hw_info_find_handle(const struct hw_info *hw, u32 handle);

/* Index of firmware's node `domain`, which is new if it was not seen before; NOT_TOLD, with a warning: no room. */
u32 hw_info_node(struct hw_info *hw, u32 domain);
bool hw_info_node_range(struct hw_info *hw, u64 start, u64 bytes, u32 domain); /* false: it ends before it starts */

/* Nodes by the order of firmware's numbers. When all of them are known, and before distances are. */
void hw_info_sort_nodes(struct hw_info *hw);

/* All that was told about nodes, or about places, is forgotten: part of it was wrong. */
void hw_info_forget_nodes(struct hw_info *hw);
void hw_info_forget_places(struct hw_info *hw);

/* MPIDR_EL1 has affinity 3 in bits 39:32; 31:24 are flags there. */
static inline u32 hw_id_of_mpidr(u64 mpidr)
{
	return (u32)(mpidr >> 32 & 0xff) << 24 | (u32)(mpidr & 0xffffff);
}

/* What the EFI stub (arm64) hands over: where firmware has what, physical addresses, 0 where there is none. */
#define EFI_HANDOFF_MAGIC 0x666f646e61686665ull
#define EFI_CONFIG_MAX (16u << 10)
enum { EFI_SECURE_UNKNOWN, EFI_SECURE_OFF, EFI_SECURE_ON };
struct efi_handoff {
	u64 magic;
	u64 map, map_bytes, descriptor_bytes; /* UEFI's memory map */
	u64 fdt, rsdp;
	u64 options, options_bytes; /* LoadOptions, UCS-2 */
	u64 config, config_bytes; /* tlblab.cfg; more than EFI_CONFIG_MAX: cut */
	u64 vendor; /* of the firmware: UCS-2, ends with a 0 */
	u64 secure_boot;
};

/* Fill *out, all of it. Not returned by value: 5 KiB and more, on a stack of 16. `length`: how much can be read at most. */
void multiboot2_parse(const void *bytes, size_t length, struct boot_info *out);

/* Reads physical memory through `at`; NULL from it means "not reachable" and is an error in the tables, not of ours. */
typedef const void *(*phys_reader)(struct pa pa, u64 bytes);

void pvh_parse(struct pa start_info, phys_reader at, struct boot_info *out);
void fdt_parse(struct pa blob, phys_reader at, struct boot_info *out, struct hw_info *hw);
void efi_parse(struct pa handoff, phys_reader at, struct boot_info *out, struct hw_info *hw);
void acpi_parse(const struct boot_info *boot, phys_reader at, struct hw_info *out); /* fills hw_info, all of it */

/* Adds a range; keeps `map` sorted and disjoint. False: no room. */
bool mem_map_add(struct mem_map *map, struct pa start, struct pa end, enum mem_kind kind);

#endif
