/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/arm64/cpu_regs.c lib/printf.c */
/* Each register that differs is named, with both values, and no other. */
#include "arch/arm64/cpu_regs.h"
#include "unit.h"

#define NR (sizeof(struct cpu_regs) / sizeof(u64))

static const char *const names[NR] = { "sctlr", "tcr", "mair", "ttbr1", "midr", "mmfr0", "mmfr1", "cntfrq" };

UNIT_TEST(cpu_regs_same)
{
	struct cpu_regs a = { .sctlr = 1, .ttbr1 = 2 }, b = a;
	char buf[240] = "x";

	cpu_regs_compare(&a, &b, buf, sizeof(buf));
	EXPECT_STR(buf, "");
}

UNIT_TEST(cpu_regs_each)
{
	for (size_t i = 0; i < NR; i++) {
		u64 mine[NR] = { 0 }, zero[NR] = { 0 };
		char buf[240], wanted[64];

		mine[i] = 0x20;
		zero[i] = 0xa0;
		cpu_regs_compare((struct cpu_regs *)mine, (struct cpu_regs *)zero, buf, sizeof(buf));
		snprintf(wanted, sizeof(wanted), "%s=0x20(0xa0)", names[i]);
		EXPECT_STR(buf, wanted);
	}
}

UNIT_TEST(cpu_regs_several)
{
	struct cpu_regs a = { .tcr = 1, .cntfrq = ~0ull }, b = { .mair = 2 };
	char buf[240], little[12];

	cpu_regs_compare(&a, &b, buf, sizeof(buf));
	EXPECT_STR(buf, "tcr=0x1(0x0) mair=0x0(0x2) cntfrq=0xffffffffffffffff(0x0)");
	cpu_regs_compare(&a, &b, little, sizeof(little));
	EXPECT_STR(little, "tcr=0x1(0x0");
}
