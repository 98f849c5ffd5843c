/* SPDX-License-Identifier: BSD-2-Clause */
/* What CPUID says about APIC ids: which of their bits number threads, cores and so on. Pure: CPUID is read by who is given. */
#ifndef ARCH_X86_TOPOLOGY_H
#define ARCH_X86_TOPOLOGY_H

#include "arch/x86/cpuid.h"
#include "boot_info.h"

/* CPUs whose ids differ in the lowest `thread` bits only share a core; `complex`: a last-level cache; `package`: a package. */
struct id_bits {
	const char *by; /* the leaf that said it */
	unsigned thread, complex, package;
};

typedef struct cpuid cpuid_reader(u32 leaf, u32 subleaf);

struct id_bits topology_bits(cpuid_reader *read);
void topology_place(const struct id_bits *bits, u32 id, struct place *place); /* all levels but the node */

#endif
