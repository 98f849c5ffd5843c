/* SPDX-License-Identifier: BSD-2-Clause */
/* What the arm64 port keeps in struct machine and, per CPU, in struct cpu. */
#ifndef MACHINE_STATE_H
#define MACHINE_STATE_H

#include "arch/arm64/cpu_regs.h"
#include "arch/arm64/regs.h"
#include "arch/atomic.h"
#include "arch/clock.h"
#include "arch/platform.h"
#include "boot_info.h"
#include "types.h"


struct arch_cpu {
	struct cpu_regs regs;
	bool counts_cycles; /* PMCCNTR_EL0 is there, and was seen counting */
};

/* CPUs while they start, by position in the list given to platform_start_cpus(): START_* or the logical number that it got. */
#define START_AWAITED 0
#define START_ARRIVED (~0ull)
#define START_CLOSED (~0ull - 1)

struct arch_state {
	unsigned entry_level; /* exception level that the loader entered at */
	unsigned nr_asids; /* that the hardware has, 0 included */
	bool tlbi_range, tlbi_os; /* FEAT_TLBIRANGE, FEAT_TLBIOS */
	bool ttl; /* FEAT_TTL */
	unsigned repeat_tlbi; /* TLBI; DSB after those of a broadcast */
	const char *no_broadcast; /* NULL: TLBI reaches every CPU; or why it is not relied on */
	struct pa empty_root; /* for TTBR0 when no lower half is loaded */

	/* Start of CPUs: by position in the list. */
	u32 start_id[MAX_CPUS];
	u8 start_target[MAX_CPUS]; /* as gic_target[] */
	struct word start[MAX_CPUS];
	unsigned nr_start;

	/* ipi.c, gic.c: by logical number */
	u32 hw_id[MAX_CPUS];
	u8 gic_target[MAX_CPUS]; /* GIC version 2: a CPU's bit in target lists */
	unsigned nr_cpus; /* admitted, this one included */
	bool one_by_one, use_shorthand; /* ipi=unicast; ipi=allbutself, and it may be used */
	u64 gic_dist, gic_cpu; /* mapped */
	u64 redist[MAX_REDISTS]; /* mapped; struct hw_info has their lengths */
	u64 own_redist[MAX_CPUS]; /* mapped; by position in struct hw_info; 0: in one of redist[] */

	struct clock_info clock, clock_of_samples;
	struct platform_id id;
	const struct hw_info *hw;
	u64 device_next; /* next free address in DEVICE_MAP */

	struct console console; /* .address mapped; of kind CONSOLE_NONE: none yet */
	struct word console_owner; /* logical number + 1 of the CPU that ends the run; others may not write */
};

#endif
