/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: the machine around the CPUs: start, console, identity, end. Used by boot/ and lib/ only (and by the simulator
 * not at all).
 */
#ifndef ARCH_PLATFORM_H
#define ARCH_PLATFORM_H

#include "types.h"

struct hw_info;
struct boot_info;
struct mem_map;

/* Memory that firmware left something in; for the pure parsers, before platform_memory_init(). NULL: it can't be reached. */
const void *platform_boot_bytes(struct pa pa, u64 bytes);

/* Physical range [start, end) of the kernel's image, bss included. */
struct pa platform_image_start(void);
struct pa platform_image_end(void);

/*
 * The final kernel tables: image by section (text RX, rodata R, data RW-NX), direct map of all usable and ACPI ranges, device
 * windows. Comes first of what takes memory through boot_alloc(). Returns NULL, or one line saying why not.
 */
const char *platform_memory_init(const struct mem_map *map);

/*
 * Root of the kernel-only address space. Where one register holds the whole root (x86), new roots copy its upper half, entries
 * 256..511, which never change afterwards; where kernel addresses have a register of their own (arm64), there is nothing to copy.
 */
struct pa platform_kernel_root(void);
void platform_copy_kernel_half(struct pa root);

/*
 * A range of kernel addresses whose tables mm/ manages through KMM like user ones (global mappings under test). The same on every
 * port, as is the end of user space.
 */
#define KERNEL_MAP_START 0xffffc90000000000ull
#define KERNEL_MAP_END 0xffffca0000000000ull
#define USER_END 0x0000800000000000ull /* first address above user space */

/* Interrupt controller, clock. After platform_memory_init. Returns NULL, or one line saying why not. */
const char *platform_devices_init(const struct hw_info *hw);

/*
 * Starts the CPUs with hardware ids hw_ids[1..nr-1] in parallel (hw_ids[0] is this CPU) and waits until all have arrived,
 * or 2 s have passed and in the last one none has. Each that arrived waits to be admitted.
 */
void platform_start_cpus(const u32 *hw_ids, unsigned nr);

/*
 * CPU hw_ids[i] goes on as logical number `cpu` and ends in upcall_cpu_started(cpu). Numbers are given in the order of the list
 * (cpu <= i), the next one after the last has started. False: it hasn't arrived; if it comes later, it halts for good.
 */
bool platform_admit_cpu(unsigned i, unsigned cpu);

/*
 * All are admitted that will be. `all`: no CPU that the firmware lists is missing. NULL, or one line: an option asks for what not
 * all of them have.
 */
const char *platform_cpus_complete(bool all);

u32 platform_hw_id(void); /* of this CPU */

/*
 * Completes what is known about where CPU hw_id stands by what the CPUs say themselves, in this one's words; nodes they do not
 * know. `told`: by what firmware said it, or NULL. Returns by what it is known.
 */
struct place;
const char *platform_place(u32 hw_id, const char *told, struct place *place);

/* Differences of CPU `cpu`'s whole-value registers and MTRRs from CPU 0's, as text; empty if none. Valid once it has started. */
void platform_cpu_differences(unsigned cpu, char *buf, size_t size);

/*
 * Console; `spec` is option console=, which is the port's. Returns NULL, or what is accepted. platform_console_write() works
 * before, too, where a console can be known by then (x86: ttyS0, 115200). Never called in a measured section.
 */
const char *platform_console_open(const char *spec, const struct hw_info *hw);
void platform_console_write(const char *text, size_t n);

/*
 * The console is this CPU's alone from now on: another CPU that writes, or wants it too, halts for good. False: it was this CPU's
 * already. For the end of the run.
 */
bool platform_console_seize(void);

int platform_console_read(void); /* the next byte that was received; -1: none is there */

/* What this machine is, for the first records. Strings are printable ASCII without quotes and backslashes. */
struct platform_id {
	char cpu[64]; /* brand string; arm64: by its implementer and part */
	char cpu_id[40]; /* vendor family-model-stepping */
	char features[256]; /* those that matter here, by their usual names, space separated */
	char hypervisor[32]; /* its signature, or "none" */
	char emulator[32]; /* "qemu-tcg", "bochs", "none": where times mean nothing */
	char tags[96]; /* "pcid", "asid", "soft: " or "none: " and why */
	char broadcast[96]; /* "invlpgb", "tlbi is", or "none: " and why */
	char errata[64]; /* of its CPUs, that broadcasts have to do with: the worst, or "none"; empty: not looked for */
	char local_flush[96]; /* by what a CPU flushes a page for itself, and whether others may have to do with it */
	char full_flush[64]; /* by what a CPU flushes everything, and why not by something better */
	char irq_controller[16]; /* "xapic", "x2apic", "gicv2", "gicv3" */
};
const struct platform_id *platform_id(void);

enum end_how { END_EXIT, END_HALT, END_REBOOT, END_POWEROFF };
enum verdict { VERDICT_OK, VERDICT_FAILED, VERDICT_ERROR };

bool platform_can_exit(void); /* an emulator with an exit device was identified; Bochs is by platform_devices_init() only */
_Noreturn void platform_halt(void); /* this CPU, interrupts off, for good */
_Noreturn void platform_end(enum end_how how, enum verdict verdict);

#endif
