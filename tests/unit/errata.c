/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/arm64/errata.c */
/* Which CPUs need a TLBI and a DSB more: MIDRs written out as registers hold them. */
#include "arch/arm64/errata.h"
#include "unit.h"

static bool is(u32 midr, const char *name)
{
	const struct erratum *e = erratum_of(midr);

	return name ? e && e->repeats == 1 && !strcmp(e->name, name) : !e;
}

/* The first and the last release of a range are in it, the next one is not. */
UNIT_TEST(errata_ranges)
{
	EXPECT(is(0x410fd460, "Cortex-A510 2441009")); /* r0p0 */
	EXPECT(is(0x410fd46f, "Cortex-A510 2441009")); /* r0p15 is before r1p1: the variant counts first */
	EXPECT(is(0x411fd461, "Cortex-A510 2441009")); /* r1p1 */
	EXPECT(is(0x411fd462, NULL)); /* r1p2, where it is mended */
	EXPECT(is(0x412fd460, NULL)); /* r2p0: a later variant with an early revision */
	EXPECT(is(0x51cf804d, NULL)); /* Kryo 4xx Gold: before, in, after */
	EXPECT(is(0x51cf804e, "Kryo 4xx Gold 1286807"));
	EXPECT(is(0x51df8040, "Kryo 4xx Gold 1286807"));
	EXPECT(is(0x51ff804e, "Kryo 4xx Gold 1286807"));
	EXPECT(is(0x51ff804f, NULL));
	EXPECT(is(0x510f8000, "Falkor 1009"));
	EXPECT(is(0x510f8001, NULL));
	EXPECT(is(0x511f8000, NULL));
}

/* A core with two errata: the older one as long as it has that, then the other, to its last release. */
UNIT_TEST(errata_two_of_one_core)
{
	EXPECT(is(0x410fd0b0, "Cortex-A76 1286807"));
	EXPECT(is(0x413fd0b0, "Cortex-A76 1286807"));
	EXPECT(is(0x413fd0b1, "Cortex-A76 4193800, CVE-2025-10263"));
	EXPECT(is(0x41ffd0bf, "Cortex-A76 4193800, CVE-2025-10263"));
}

/* Every part of a family; the same part of another maker is another core; a field beside the part does not count as it. */
UNIT_TEST(errata_models)
{
	EXPECT(is(0x511f2050, "Kryo 1009") && is(0x510f2110, "Kryo 1009") && is(0x51ff2fff, "Kryo 1009"));
	EXPECT(is(0x510f3050, NULL) && is(0x410f2050, NULL));
	EXPECT(is(0x410fd490, "Neoverse N2 4193789, CVE-2025-10263"));
	EXPECT(is(0x6d0fd490, "Azure Cobalt 100 4193789, CVE-2025-10263"));
	EXPECT(is(0x4e0f0100, "Olympus T410-OLY-1029, CVE-2025-10263"));
	EXPECT(is(0x414fd0c1, "Neoverse N1 4193800, CVE-2025-10263")); /* QEMU's neoverse-n1 */
	EXPECT(is(0x410fd083, NULL)); /* QEMU's cortex-a72 */
	EXPECT(is(0x000f0510, NULL)); /* QEMU's max */
	EXPECT(is(0x410fd034, NULL) && is(0x410fd8e0, NULL) && is(0, NULL) && is(~0u, NULL));
}

/* Of several CPUs the largest need counts, wherever it stands; of equals the first. */
UNIT_TEST(errata_worst)
{
	static const struct erratum once = { .repeats = 1 }, also = { .repeats = 1 }, twice = { .repeats = 2 };

	EXPECT(!erratum_worse(NULL, NULL));
	EXPECT(erratum_worse(&once, NULL) == &once && erratum_worse(NULL, &once) == &once);
	EXPECT(erratum_worse(&once, &also) == &once && erratum_worse(&also, &once) == &also);
	EXPECT(erratum_worse(&once, &twice) == &twice && erratum_worse(&twice, &once) == &twice);
}
