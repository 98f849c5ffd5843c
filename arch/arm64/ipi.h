/* SPDX-License-Identifier: BSD-2-Clause */
/* What ipi.c offers the rest of the port. */
#ifndef ARCH_ARM64_IPI_H
#define ARCH_ARM64_IPI_H

#include "types.h"

/* CPUs are complete. "All but self" may be used only if no CPU that firmware lists is missing: it would reach them all. */
void ipi_init(bool all_here);

#endif
