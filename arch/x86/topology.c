/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Topology by CPUID. All CPUs of a machine are taken to be numbered as the one that is asked. No state. (SDM vol. 3A 9.9.4, vol. 2A
 * CPUID leaves 4, 0Bh, 1Fh; AMD APM vol. 3 E.3.5, E.4.15, E.4.17, E.4.18 for 0Bh, 80000008h, 8000001Dh, 8000001Eh)
 */
#include "arch/x86/topology.h"

#define LEVEL_TYPE_NONE 0 /* of leaves 0Bh and 1Fh, in bits 15:8 of ECX */
#define LEVEL_TYPE_SMT 1
#define MAX_SUBLEAVES 8 /* there are six types */
#define L3 3
#define TOPOEXT (1 << 22)
#define HTT (1 << 28)

static bool has_leaf(cpuid_reader *read, u32 leaf)
{
	return read(leaf & 0x80000000, 0).eax >= leaf;
}

/* Bits that number n things. */
static unsigned bits_for(u32 n)
{
	unsigned bits = 0;

	while (bits < 31 && 1u << bits < n)
		bits++;
	return bits;
}

/* Leaf 0Bh, or 1Fh, which knows more levels: the shift to the next level each; the last one's is the package's. */
static bool by_levels(cpuid_reader *read, u32 leaf, struct id_bits *out)
{
	if (!has_leaf(read, leaf) || !(read(leaf, 0).ebx & 0xffff))
		return false;
	for (u32 i = 0; i < MAX_SUBLEAVES; i++) {
		struct cpuid c = read(leaf, i);
		u32 type = c.ecx >> 8 & 0xff;

		if (type == LEVEL_TYPE_NONE)
			break;
		if (type == LEVEL_TYPE_SMT)
			out->thread = c.eax & 31;
		out->package = c.eax & 31;
	}
	return true;
}

/* AMD before Zen 2. */
static bool by_amd(cpuid_reader *read, struct id_bits *out)
{
	u32 sizes;

	if (!has_leaf(read, 0x8000001e) || !(read(0x80000001, 0).ecx & TOPOEXT))
		return false;
	sizes = read(0x80000008, 0).ecx;
	out->thread = bits_for((read(0x8000001e, 0).ebx >> 8 & 0xff) + 1);
	out->package = sizes >> 12 & 15 ? sizes >> 12 & 15 : bits_for((sizes & 0xff) + 1);
	return true;
}

/* Intel before leaf 0Bh: ids of a package in leaf 1, cores in leaf 4; threads are what is left. */
static void by_counts(cpuid_reader *read, struct id_bits *out)
{
	unsigned cores = has_leaf(read, 4) ? bits_for((read(4, 0).eax >> 26) + 1) : 0;

	out->package = read(1, 0).edx & HTT ? bits_for(read(1, 0).ebx >> 16 & 0xff) : 0;
	out->thread = out->package > cores ? out->package - cores : 0;
}

/* Bits of those that share the last-level cache; without an L3, those of the package. */
static unsigned cache_bits(cpuid_reader *read, unsigned package)
{
	bool amd = has_leaf(read, 0x8000001d) && read(0x80000001, 0).ecx & TOPOEXT;
	u32 leaf = amd ? 0x8000001d : 4;

	for (u32 i = 0; has_leaf(read, leaf) && i < MAX_SUBLEAVES; i++) {
		u32 eax = read(leaf, i).eax;

		if (!(eax & 31))
			break;
		if ((eax >> 5 & 7) == L3)
			return bits_for((eax >> 14 & 0xfff) + 1);
	}
	return package;
}

struct id_bits topology_bits(cpuid_reader *read)
{
	struct id_bits out = { 0 };
	unsigned cache;

	if (by_levels(read, 0x1f, &out))
		out.by = "cpuid 0x1f";
	else if (by_levels(read, 0xb, &out))
		out.by = "cpuid 0xb";
	else if (by_amd(read, &out))
		out.by = "cpuid 0x8000001e";
	else {
		by_counts(read, &out);
		out.by = "cpuid 1 and 4";
	}
	out.thread = MIN(out.thread, out.package);
	cache = cache_bits(read, out.package);
	out.complex = MAX(out.thread, MIN(cache, out.package));
	return out;
}

void topology_place(const struct id_bits *bits, u32 id, struct place *place)
{
	place->at[LEVEL_PACKAGE] = id >> bits->package;
	place->at[LEVEL_COMPLEX] = id >> bits->complex;
	place->at[LEVEL_CORE] = id >> bits->thread;
	place->at[LEVEL_THREAD] = id & ((1u << bits->thread) - 1);
}
