/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs on which a DSB after a broadcast TLBI returns too early, by their MIDR_EL1, as pure functions. Two kinds, with one remedy, a
 * TLBI and a DSB more: the entries may still be there (Qualcomm 1009; Cortex-A76 1286807 and its kin); or they are gone, but stores
 * that went through them may not have arrived (CVE-2025-10263). The TLBI may be any that is broadcast to the same CPUs. Local ones
 * are not concerned.
 */
#ifndef ARCH_ARM64_ERRATA_H
#define ARCH_ARM64_ERRATA_H

#include "types.h"

struct erratum {
	u32 midr, mask; /* MIDR & mask == midr: implementer, architecture, part */
	u8 first, last; /* variant << 4 | revision */
	u8 repeats; /* TLBI; DSB after the first pair */
	const char *name;
};

/* The one with the most repeats that this MIDR has, the first in the table of several; NULL: none. */
const struct erratum *erratum_of(u32 midr);

/* The worse of the two, `a` if they are alike; each may be NULL. */
const struct erratum *erratum_worse(const struct erratum *a, const struct erratum *b);

#endif
