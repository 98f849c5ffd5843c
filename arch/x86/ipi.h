/* SPDX-License-Identifier: BSD-2-Clause */
/* What ipi.c offers the rest of the port, above all raw commands for CPUs that have no logical number yet. */
#ifndef ARCH_X86_IPI_H
#define ARCH_X86_IPI_H

#include "types.h"

/* Sends `command` (ICR_*, vector) to the CPU with APIC id hw_id; unordered after earlier stores in x2APIC mode. */
void apic_icr(u32 hw_id, u32 command);

/*
 * CPUs are complete. The shorthand "all but self" may be used only if no CPU that the firmware lists is missing: it
 * reaches them all.
 */
void ipi_init(bool all_here);

#endif
