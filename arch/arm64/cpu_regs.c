/* SPDX-License-Identifier: BSD-2-Clause */
/* What differs between CPUs: cpu_regs.h. No state. */
#include "arch/arm64/cpu_regs.h"

#include "lib/printf.h"

static const struct {
	const char *name;
	size_t offset;
} names[] = {
	{ "sctlr", offsetof(struct cpu_regs, sctlr) }, { "tcr", offsetof(struct cpu_regs, tcr) },
	{ "mair", offsetof(struct cpu_regs, mair) },   { "ttbr1", offsetof(struct cpu_regs, ttbr1) },
	{ "midr", offsetof(struct cpu_regs, midr) },   { "mmfr0", offsetof(struct cpu_regs, mmfr0) },
	{ "mmfr1", offsetof(struct cpu_regs, mmfr1) }, { "cntfrq", offsetof(struct cpu_regs, cntfrq) },
};
_Static_assert(ARRAY_SIZE(names) == sizeof(struct cpu_regs) / sizeof(u64), "one name each");

void cpu_regs_compare(const struct cpu_regs *mine, const struct cpu_regs *zero, char *buf, size_t size)
{
	buf[0] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		u64 a = *(const u64 *)((const char *)mine + names[i].offset);
		u64 b = *(const u64 *)((const char *)zero + names[i].offset);

		if (a != b)
			ksnprintf_append(buf, size, "%s%s=0x%llx(0x%llx)", buf[0] ? " " : "", names[i].name, (unsigned long long)a,
					 (unsigned long long)b);
	}
}
