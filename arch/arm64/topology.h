/* SPDX-License-Identifier: BSD-2-Clause */
/* What MPIDR_EL1 says about where a CPU stands, when nobody else says it. */
#ifndef ARCH_ARM64_TOPOLOGY_H
#define ARCH_ARM64_TOPOLOGY_H

#include "boot_info.h"

/* `threads`: MPIDR_EL1.MT, affinity 0 numbers threads. All levels but the node. */
void topology_place(u32 hw_id, bool threads, struct place *place);

#endif
