/* SPDX-License-Identifier: BSD-2-Clause */
/* What CPUID returns: apart from insn.h for what is pure. */
#ifndef ARCH_X86_CPUID_H
#define ARCH_X86_CPUID_H

#include "types.h"

struct cpuid {
	u32 eax, ebx, ecx, edx;
};

#endif
