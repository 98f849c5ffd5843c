/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/x86/topology.c */
/* Topology by CPUID: what processors say, and what none should. */
#include "arch/x86/topology.h"

#include "unit.h"

static struct entry {
	u32 leaf, subleaf;
	struct cpuid is;
} said[32];
static unsigned nr_said;
static bool noise; /* what is not said is garbage */
static u64 seed;

static u32 any32(void)
{
	return (u32)random_of(&seed, 1u << 31) << 1 | (u32)random_of(&seed, 2);
}

static struct cpuid read_said(u32 leaf, u32 subleaf)
{
	for (unsigned i = 0; i < nr_said; i++)
		if (said[i].leaf == leaf && said[i].subleaf == subleaf)
			return said[i].is;
	if (noise)
		return (struct cpuid){ any32(), any32(), any32(), any32() };
	return (struct cpuid){ 0 };
}

static void say(u32 leaf, u32 subleaf, u32 eax, u32 ebx, u32 ecx, u32 edx)
{
	said[nr_said++] = (struct entry){ leaf, subleaf, { eax, ebx, ecx, edx } };
}

static void begin(u32 basic, u32 extended)
{
	nr_said = 0;
	noise = false;
	say(0, 0, basic, 0, 0, 0);
	say(0x80000000, 0, extended, 0, 0, 0);
}

static void expect_bits(const char *by, unsigned thread, unsigned complex, unsigned package)
{
	struct id_bits bits = topology_bits(read_said);

	EXPECT_STR(bits.by, by);
	EXPECT_EQ(bits.thread, thread);
	EXPECT_EQ(bits.complex, complex);
	EXPECT_EQ(bits.package, package);
}

static void level(u32 leaf, u32 subleaf, u32 type, u32 shift)
{
	say(leaf, subleaf, shift, 1, type << 8 | subleaf, 0);
}

/* SMT, core, then a level of another kind: the last shift is the package's. */
UNIT_TEST(topology_by_leaf_1f)
{
	begin(0x1f, 0x80000008);
	level(0x1f, 0, 1, 1);
	level(0x1f, 1, 2, 6);
	level(0x1f, 2, 5, 8); /* die */
	level(0x1f, 3, 0, 0);
	level(0xb, 0, 1, 1);
	level(0xb, 1, 2, 8);
	say(4, 0, 0x121, 0, 0, 0); /* L1 data */
	say(4, 1, 63u << 14 | 0x163, 0, 0, 0); /* L3 of 64 ids */
	expect_bits("cpuid 0x1f", 1, 6, 8);
	said[2].is.ebx = 0; /* 1Fh is there and empty */
	expect_bits("cpuid 0xb", 1, 6, 8);
}

/* Zen 2 and later: 0Bh, and its caches in 8000001Dh. */
UNIT_TEST(topology_by_leaf_b_on_amd)
{
	begin(0x10, 0x8000001e);
	level(0xb, 0, 1, 1);
	level(0xb, 1, 2, 7);
	say(0x80000001, 0, 0, 0, 1 << 22, 0);
	say(0x8000001d, 0, 1u << 14 | 0x121, 0, 0, 0);
	say(0x8000001d, 1, 7u << 14 | 0x163, 0, 0, 0);
	expect_bits("cpuid 0xb", 1, 3, 7);
	said[6].is.eax = 4u << 14 | 0x163; /* five threads share it: numbered by three bits */
	expect_bits("cpuid 0xb", 1, 3, 7);
	said[6].is.eax = 0; /* no L3 */
	expect_bits("cpuid 0xb", 1, 7, 7);
}

UNIT_TEST(topology_by_leaf_8000001e)
{
	begin(0xd, 0x8000001e);
	say(0x80000001, 0, 0, 0, 1 << 22, 0);
	say(0x80000008, 0, 0, 0, 6u << 12 | 47, 0);
	say(0x8000001e, 0, 0, 1 << 8, 0, 0);
	expect_bits("cpuid 0x8000001e", 1, 6, 6);
	said[3].is.ecx = 11; /* 12 threads: by their number */
	expect_bits("cpuid 0x8000001e", 1, 4, 4);
	said[2].is.ecx = 0; /* without TOPOEXT these leaves say nothing */
	expect_bits("cpuid 1 and 4", 0, 0, 0);
}

UNIT_TEST(topology_by_counts)
{
	begin(4, 0x80000004);
	say(1, 0, 0, 16 << 16, 0, 1 << 28);
	say(4, 0, 7u << 26 | 0x121, 0, 0, 0);
	expect_bits("cpuid 1 and 4", 1, 4, 4);
	said[2].is.edx = 0; /* one thread, whatever EBX says */
	expect_bits("cpuid 1 and 4", 0, 0, 0);
	begin(1, 0);
	say(1, 0, 0, 2 << 16, 0, 1 << 28);
	expect_bits("cpuid 1 and 4", 1, 1, 1);
}

UNIT_TEST(topology_of_ids)
{
	struct id_bits bits = { "", 1, 3, 6 };
	struct place place;

	memset(&place, 0xff, sizeof(place));
	topology_place(&bits, 0x7d, &place);
	EXPECT_EQ(place.at[LEVEL_NODE], NOT_TOLD);
	EXPECT_EQ(place.at[LEVEL_PACKAGE], 1);
	EXPECT_EQ(place.at[LEVEL_COMPLEX], 0xf);
	EXPECT_EQ(place.at[LEVEL_CORE], 0x3e);
	EXPECT_EQ(place.at[LEVEL_THREAD], 1);
	bits = (struct id_bits){ "", 0, 0, 0 };
	topology_place(&bits, 0xffff0001, &place);
	EXPECT_EQ(place.at[LEVEL_PACKAGE], 0xffff0001);
	EXPECT_EQ(place.at[LEVEL_THREAD], 0);
}

/* Whatever is said: bits are in order, and no shift is too far. */
UNIT_TEST(topology_of_noise)
{
	seed = 1;
	for (unsigned round = 0; round < 5000; round++) {
		struct id_bits bits;

		begin((u32)random_of(&seed, 0x20), 0x80000000 + (u32)random_of(&seed, 0x20));
		noise = true;
		bits = topology_bits(read_said);
		EXPECT(bits.thread <= bits.complex && bits.complex <= bits.package && bits.package < 32);
	}
}
