/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which CPUs need a TLBI and a DSB more: errata.h. No state. From Linux: arch/arm64/kernel/cpu_errata.c (arm64_repeat_tlbi_list),
 * the part numbers from asm/cputype.h, and Documentation/arch/arm64/silicon-errata.rst for each core's own number of
 * CVE-2025-10263 (Linux cfd391e74134, ec7216f92e4e).
 */
#include "arch/arm64/errata.h"

#define ARM 0x41
#define QUALCOMM 0x51
#define NVIDIA 0x4e
#define MICROSOFT 0x6d

/* MIDR: 31:24 implementer, 23:20 variant, 19:16 architecture, 15:4 part, 3:0 revision. (Arm ARM D19.2) */
#define MODEL(implementer, part) ((u32)(implementer) << 24 | 0xfu << 16 | (u32)(part) << 4)
#define PART MODEL(0xff, 0xfff)
#define FAMILY MODEL(0xff, 0xf00) /* the low digits tell cores of one design apart */

#define ALL 0, 0xff
#define CVE "CVE-2025-10263"

static const struct erratum errata[] = {
	{ MODEL(QUALCOMM, 0x800), PART, 0x00, 0x00, 1, "Falkor 1009" },
	{ MODEL(QUALCOMM, 0x200), FAMILY, ALL, 1, "Kryo 1009" },
	{ MODEL(QUALCOMM, 0x804), PART, 0xce, 0xfe, 1, "Kryo 4xx Gold 1286807" },
	{ MODEL(ARM, 0xd0b), PART, 0x00, 0x30, 1, "Cortex-A76 1286807" },
	{ MODEL(ARM, 0xd05), PART, ALL, 1, "Cortex-A55 2441007" },
	{ MODEL(ARM, 0xd46), PART, 0x00, 0x11, 1, "Cortex-A510 2441009" },
	{ MODEL(ARM, 0xd0b), PART, ALL, 1, "Cortex-A76 4193800, " CVE },
	{ MODEL(ARM, 0xd0c), PART, ALL, 1, "Neoverse N1 4193800, " CVE },
	{ MODEL(ARM, 0xd0d), PART, ALL, 1, "Cortex-A77 4193798, " CVE },
	{ MODEL(ARM, 0xd0e), PART, ALL, 1, "Cortex-A76AE 4193801, " CVE },
	{ MODEL(ARM, 0xd40), PART, ALL, 1, "Neoverse V1 4193790, " CVE },
	{ MODEL(ARM, 0xd41), PART, ALL, 1, "Cortex-A78 4193791, " CVE },
	{ MODEL(ARM, 0xd42), PART, ALL, 1, "Cortex-A78AE 4193793, " CVE },
	{ MODEL(ARM, 0xd44), PART, ALL, 1, "Cortex-X1 4193791, " CVE },
	{ MODEL(ARM, 0xd47), PART, ALL, 1, "Cortex-A710 4193788, " CVE },
	{ MODEL(ARM, 0xd48), PART, ALL, 1, "Cortex-X2 4193788, " CVE },
	{ MODEL(ARM, 0xd49), PART, ALL, 1, "Neoverse N2 4193789, " CVE },
	{ MODEL(ARM, 0xd4b), PART, ALL, 1, "Cortex-A78C 4193794, " CVE },
	{ MODEL(ARM, 0xd4c), PART, ALL, 1, "Cortex-X1C 4193792, " CVE },
	{ MODEL(ARM, 0xd4e), PART, ALL, 1, "Cortex-X3 4193786, " CVE },
	{ MODEL(ARM, 0xd4f), PART, ALL, 1, "Neoverse V2 4193787, " CVE },
	{ MODEL(ARM, 0xd82), PART, ALL, 1, "Cortex-X4 4118414, " CVE },
	{ MODEL(ARM, 0xd83), PART, ALL, 1, "Neoverse V3AE 4193784, " CVE },
	{ MODEL(ARM, 0xd84), PART, ALL, 1, "Neoverse V3 4193784, " CVE },
	{ MODEL(ARM, 0xd85), PART, ALL, 1, "Cortex-X925 4193781, " CVE },
	{ MODEL(ARM, 0xd8c), PART, ALL, 1, "C1-Ultra 4193780, " CVE },
	{ MODEL(ARM, 0xd90), PART, ALL, 1, "C1-Premium 4193780, " CVE },
	{ MODEL(MICROSOFT, 0xd49), PART, ALL, 1, "Azure Cobalt 100 4193789, " CVE },
	{ MODEL(NVIDIA, 0x010), PART, ALL, 1, "Olympus T410-OLY-1029, " CVE },
};

static bool has(const struct erratum *e, u32 midr)
{
	u32 release = (midr >> 16 & 0xf0) | (midr & 0xf);

	return (midr & e->mask) == e->midr && release >= e->first && release <= e->last;
}

const struct erratum *erratum_worse(const struct erratum *a, const struct erratum *b)
{
	return !a || (b && b->repeats > a->repeats) ? b : a;
}

const struct erratum *erratum_of(u32 midr)
{
	const struct erratum *worst = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(errata); i++)
		if (has(&errata[i], midr))
			worst = erratum_worse(worst, &errata[i]);
	return worst;
}
