/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this machine is, by CPUID and by what emulators give away. State: machine.arch.id, constant after identity_init().
 * (SDM vol. 2A CPUID)
 */
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "arch/x86/topology.h"
#include "boot_info.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "machine.h"

enum reg { EAX, EBX, ECX, EDX };

static const struct feature {
	const char *name;
	u32 leaf;
	enum reg reg;
	unsigned bit;
} features[] = {
	{ "pge", 1, EDX, 13 },		 { "pat", 1, EDX, 16 },		       { "mtrr", 1, EDX, 12 },
	{ "pcid", 1, ECX, 17 },		 { "invpcid", 7, EBX, 10 },	       { "x2apic", 1, ECX, 21 },
	{ "tsc-deadline", 1, ECX, 24 },	 { "mwait", 1, ECX, 3 },	       { "smep", 7, EBX, 7 },
	{ "smap", 7, EBX, 20 },		 { "umip", 7, ECX, 2 },		       { "pku", 7, ECX, 3 },
	{ "la57", 7, ECX, 16 },		 { "nx", 0x80000001, EDX, 20 },	       { "1g-pages", 0x80000001, EDX, 26 },
	{ "rdtscp", 0x80000001, EDX, 27 }, { "tce", 0x80000001, ECX, 17 },     { "invariant-tsc", 0x80000007, EDX, 8 },
	{ "invlpgb", 0x80000008, EBX, 3 }, { "invlpgb-nested", 0x80000008, EBX, 21 },
};

static u32 reg_of(struct cpuid c, enum reg reg)
{
	const u32 regs[] = { c.eax, c.ebx, c.ecx, c.edx };

	return regs[reg];
}

static bool has_leaf(u32 leaf)
{
	return cpuid(leaf & 0x80000000, 0).eax >= leaf;
}

/* Printable ASCII without quotes and backslashes, spaces at the ends cut. */
static void clean(char *text)
{
	size_t n, from = 0;

	for (char *c = text; *c; c++) {
		if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\')
			*c = '?';
	}
	while (text[from] == ' ')
		from++;
	n = strlen(text + from);
	memmove(text, text + from, n + 1);
	while (n && text[n - 1] == ' ')
		text[--n] = 0;
}

static void brand(char *buf)
{
	for (u32 i = 0; i < 3; i++) {
		struct cpuid c = cpuid(0x80000002 + i, 0);

		memcpy(buf + 16 * i, &c, 16);
	}
	buf[48] = 0;
	clean(buf);
}

/* Family and model with their extensions; vendor in the order that CPUID has it. */
static void cpu_name(char *buf, size_t size)
{
	struct cpuid zero = cpuid(0, 0);
	u32 vendor[4] = { zero.ebx, zero.edx, zero.ecx, 0 }, eax = cpuid(1, 0).eax;
	unsigned family = eax >> 8 & 15, model = eax >> 4 & 15;
	char name[sizeof(vendor)];

	memcpy(name, vendor, sizeof(name));
	clean(name);
	if (family == 6 || family == 15)
		model |= eax >> 12 & 0xf0;
	if (family == 15)
		family += eax >> 20 & 0xff;
	ksnprintf(buf, size, "%s %u-%u-%u", name, family, model, eax & 15);
}

static void list_features(char *buf, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		const struct feature *f = &features[i];

		if (has_leaf(f->leaf) && reg_of(cpuid(f->leaf, 0), f->reg) >> f->bit & 1 && n < size)
			n += ksnprintf(buf + n, size - n, "%s%s", n ? " " : "", f->name);
	}
}

static bool in_hypervisor(void)
{
	return cpuid(1, 0).ecx >> 31;
}

static void hypervisor(char *buf, size_t size)
{
	struct cpuid c = { 0 };
	char name[13];

	if (in_hypervisor())
		c = cpuid(0x40000000, 0);
	memcpy(name, &c.ebx, 12);
	name[12] = 0;
	clean(name);
	ksnprintf(buf, size, "%s", !in_hypervisor() ? "none" : name[0] ? name : "unnamed");
}

bool emulator_is_tcg(void)
{
	char name[32];

	hypervisor(name, sizeof(name));
	return !strcmp(name, "TCGTCGTCGTCG");
}

/* QEMU with any accelerator: the signature of its fw_cfg device. Only asked for in a virtual machine: these ports are nobody's. */
bool emulator_is_qemu(void)
{
	static const char signature[] = "QEMU";

	if (!in_hypervisor())
		return false;
	out16(0x510, 0);
	for (unsigned i = 0; i < 4; i++) {
		if (in8(0x511) != (u8)signature[i])
			return false;
	}
	return true;
}

/* Bochs says nothing in CPUID, but its BIOS's ACPI tables do. (QEMU's have the same OEM name.) */
static const char *emulator(void)
{
	if (emulator_is_tcg())
		return "qemu-tcg";
	if (!in_hypervisor() && machine.arch.hw && !strncmp(machine.arch.hw->oem, "BOCHS", 5))
		return "bochs";
	return "none";
}

void identity_init(void)
{
	struct platform_id *id = &machine.arch.id;

	if (has_leaf(0x80000004))
		brand(id->cpu);
	cpu_name(id->cpu_id, sizeof(id->cpu_id));
	list_features(id->features, sizeof(id->features));
	hypervisor(id->hypervisor, sizeof(id->hypervisor));
	ksnprintf(id->emulator, sizeof(id->emulator), "%s", emulator());
	if (machine.arch.pcid)
		ksnprintf(id->tags, sizeof(id->tags), "pcid");
	else
		ksnprintf(id->tags, sizeof(id->tags), "%s: %s", machine.arch.soft_pcid ? "soft" : "none", machine.arch.no_pcid);
	if (machine.arch.no_invlpgb)
		ksnprintf(id->broadcast, sizeof(id->broadcast), "none: %s", machine.arch.no_invlpgb);
	else
		ksnprintf(id->broadcast, sizeof(id->broadcast), "invlpgb%s, %u pages",
			  machine.arch.invlpgb_emulated ? " emulated" : "", machine.arch.invlpgb_max);
	if (machine.arch.invpcid)
		ksnprintf(id->full_flush, sizeof(id->full_flush), "invpcid%s", machine.arch.invpcid_tag ? ", of a tag too" : "");
	else
		ksnprintf(id->full_flush, sizeof(id->full_flush), "cr4.pge: no invpcid: %s", machine.arch.no_invpcid);
	ksnprintf(id->local_flush, sizeof(id->local_flush), "invlpg");
	ksnprintf(id->irq_controller, sizeof(id->irq_controller), "%s", machine.arch.x2apic ? "x2apic" : "xapic");
}

static struct cpuid read_cpuid(u32 leaf, u32 subleaf)
{
	return cpuid(leaf, subleaf);
}

/* What tables say (PPTT, on some) is left: CPUID has more levels. */
const char *platform_place(u32 hw_id, const char *told, struct place *place)
{
	struct id_bits bits = topology_bits(read_cpuid);

	(void)told;
	topology_place(&bits, hw_id, place);
	return bits.by;
}

const struct platform_id *platform_id(void)
{
	return &machine.arch.id;
}
