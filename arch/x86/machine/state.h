/* SPDX-License-Identifier: BSD-2-Clause */
/* What the x86 port keeps in struct machine and, per CPU, in struct cpu. */
#ifndef MACHINE_STATE_H
#define MACHINE_STATE_H

#include "arch/atomic.h"
#include "arch/clock.h"
#include "arch/platform.h"
#include "arch/x86/emulate.h"
#include "arch/x86/regs.h"
#include "boot_info.h"
#include "types.h"

struct __attribute__((packed)) tss {
	u32 reserved0;
	u64 rsp[3];
	u64 reserved1;
	u64 ist[7];
	u64 reserved2;
	u16 reserved3, io_map;
};

struct idt_gate {
	u16 offset0, selector;
	u8 ist, type;
	u16 offset1;
	u32 offset2, reserved;
};

#define MTRR_FIXED 11
#define MTRR_VARIABLE 16 /* pairs compared; no CPU has more than 10 */

/* Registers that must be the same on all CPUs, as read back after the set-up. */
struct cpu_regs {
	u64 cr0, cr4, efer, pat;
	u64 mtrr_cap, mtrr_def;
	u64 mtrr_fixed[MTRR_FIXED];
	u64 mtrr_variable[2 * MTRR_VARIABLE];
};

struct arch_cpu {
	struct cpu *self; /* first: %gs:0 */
	struct word *yardstick; /* second: %gs:8, used by the yardstick's handler */
	u64 gdt[5];
	struct tss tss;
	struct word snapshots_asked; /* NMIs sent to this CPU that it has not taken */
	struct cpu_regs regs;
	unsigned soft_pcid; /* pcid=soft: the PCID that the root would be loaded under */
	struct emulation emulation;
};

/* CPUs while they start, by position in the list given to platform_start_cpus(): START_* or the logical number that it got. */
#define START_AWAITED 0
#define START_ARRIVED (~0ull)
#define START_CLOSED (~0ull - 1)

struct arch_state {
	struct idt_gate idt[256];
	u64 cr4; /* the whole value for every CPU */
	bool smap, x2apic;
	bool pcid; /* CR4.PCIDE is set: tags are in use */
	bool soft_pcid; /* tags are counted, but every load of a root flushes */
	const char *no_pcid; /* ... or why not */
	bool invpcid, invpcid_tag; /* INVPCID flushes everything; the loaded tag too */
	const char *no_invpcid;
	const char *no_invlpgb; /* NULL: INVLPGB and TLBSYNC can be used; or why not */
	unsigned invlpgb_max; /* pages per instruction */
	bool invlpgb_emulated;
	bool invlpgb_asked; /* by invlpgb=hw or emulate */

	/* Start of CPUs. hw_id[] ends by logical number. */
	u32 start_id[MAX_CPUS];
	struct word start[MAX_CPUS];
	unsigned nr_start;
	u64 trampoline; /* physical address of the page that APs start in */

	/* ipi.c */
	u32 hw_id[MAX_CPUS];
	unsigned nr_cpus; /* admitted, this one included */
	bool use_shorthand; /* ipi=allbutself, and it may be used */
	u64 timer_khz; /* APIC timer counts per millisecond, at the divider used */

	struct clock_info clock;
	struct platform_id id;
	const struct hw_info *hw;
	u64 device_next; /* next free address in DEVICE_MAP */

	struct console console; /* of kind CONSOLE_NONE: not opened yet. In memory: .address is as told */
	u64 console_at; /* ... and mapped here */
	struct word console_owner; /* logical number + 1 of the CPU that ends the run; others may not write */
};

#endif
