/* SPDX-License-Identifier: BSD-2-Clause */
/* The world of arm64's tests: two CPUs, tag n is ASID n, ROOT_A is in TTBR1 too. */
#ifndef SIM_ARM64_TEST_WORLD_H
#define SIM_ARM64_TEST_WORLD_H

#include "sim/arm64/arm64.h"
#include "sim/test/test.h"

#define TTBR(root, asid) ((root) | (u64)(asid) << 48)

u64 *world_map_global(u64 root, u64 va);

/* What the current CPU has written to TTBR0 is in use. */
void world_load(u64 root, unsigned asid);

#endif
