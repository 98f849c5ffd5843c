/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers that must be the same on all CPUs, as read back after the set-up: with other ones tables mean something else. */
#ifndef ARCH_ARM64_CPU_REGS_H
#define ARCH_ARM64_CPU_REGS_H

#include "types.h"

struct cpu_regs {
	u64 sctlr, tcr, mair, ttbr1, midr, mmfr0, mmfr1, cntfrq;
};

/* "tcr=0x20(0xa0) mair=...": what of `mine` is not as in `zero`, which is in brackets; "" where all is. */
void cpu_regs_compare(const struct cpu_regs *mine, const struct cpu_regs *zero, char *buf, size_t size);

#endif
