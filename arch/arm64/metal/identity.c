/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this machine is, by its id registers, its device tree or ACPI tables, and what hypervisors give away. State:
 * machine.arch.id, constant after identity_init(). (Arm ARM D19.2; SMCCC, Arm DEN 0028)
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/arm64/topology.h"
#include "boot_info.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "machine.h"

#define VENDOR_HYPERVISOR_UID 0x8600ff01
#define MPIDR_MT (1 << 24)
#define KVM_UID 0x28b46fb6 /* its first word */

struct part {
	u32 part;
	const char *name;
};

static const struct part parts[] = { /* of implementer 0x41, Arm */
	{ 0xd03, "Cortex-A53" },  { 0xd04, "Cortex-A35" },  { 0xd05, "Cortex-A55" },  { 0xd07, "Cortex-A57" },
	{ 0xd08, "Cortex-A72" },  { 0xd09, "Cortex-A73" },  { 0xd0a, "Cortex-A75" },  { 0xd0b, "Cortex-A76" },
	{ 0xd0c, "Neoverse N1" }, { 0xd40, "Neoverse V1" }, { 0xd49, "Neoverse N2" }, { 0xd4f, "Neoverse V2" },
};

enum reg { PFR0, ISAR0, MMFR0, MMFR1, MMFR2 };

/* Four bits each; there from `least` on. */
static const struct feature {
	const char *name;
	enum reg reg;
	unsigned shift, least;
} features[] = {
	{ "asid16", MMFR0, 4, 2 },     { "lse", ISAR0, 20, 2 },	     { "tlbios", ISAR0, 56, 1 }, { "tlbirange", ISAR0, 56, 2 },
	{ "haf", MMFR1, 0, 1 },	       { "hafdbs", MMFR1, 0, 2 },    { "vh", MMFR1, 8, 1 },	 { "pan", MMFR1, 20, 1 },
	{ "ets2", MMFR1, 36, 2 },      { "ntlbpa", MMFR1, 48, 1 },   { "cnp", MMFR2, 0, 1 },	 { "bbm1", MMFR2, 52, 1 },
	{ "bbm2", MMFR2, 52, 2 },      { "ttl", MMFR2, 48, 1 },	     { "e0pd", MMFR2, 60, 1 },	 { "gic-registers", PFR0, 24, 1 },
};

static u64 reg_of(enum reg reg)
{
	const u64 regs[] = { read_pfr0(), read_isar0(), read_mmfr0(), read_mmfr1(), read_mmfr2() };

	return regs[reg];
}

static void list_features(char *buf, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		const struct feature *f = &features[i];

		if ((reg_of(f->reg) >> f->shift & 15) >= f->least)
			ksnprintf_append(buf, size, "%s%s", buf[0] ? " " : "", f->name);
	}
}

static void cpu_name(struct platform_id *id)
{
	u64 midr = read_midr();
	u32 implementer = midr >> 24 & 0xff, part = midr >> 4 & 0xfff;
	const char *name = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(parts) && implementer == 0x41; i++)
		if (parts[i].part == part)
			name = parts[i].name;
	if (name)
		ksnprintf(id->cpu, sizeof(id->cpu), "%s", name);
	else
		ksnprintf(id->cpu, sizeof(id->cpu), "implementer 0x%02x part 0x%03x", implementer, part);
	ksnprintf(id->cpu_id, sizeof(id->cpu_id), "midr 0x%08llx", (unsigned long long)midr);
}

/* QEMU's machine `virt`, with any accelerator: its device tree's board, or its FADT's hypervisor. */
bool board_is_qemu(void)
{
	const struct hw_info *hw = machine.arch.hw;

	return hw && (!strcmp(hw->board, "linux,dummy-virt") || !strcmp(hw->hypervisor, "QEMU"));
}

bool hypervisor_is_kvm(void)
{
	return board_is_qemu() && (u32)psci_call(VENDOR_HYPERVISOR_UID, 0, 0, 0).x0 == KVM_UID;
}

void identity_init(void)
{
	struct platform_id *id = &machine.arch.id;
	bool kvm = hypervisor_is_kvm();

	cpu_name(id);
	list_features(id->features, sizeof(id->features));
	ksnprintf_append(id->features, sizeof(id->features), " entered-at-el%u", machine.arch.entry_level);
	ksnprintf(id->hypervisor, sizeof(id->hypervisor), "%s", kvm ? "KVM" : board_is_qemu() ? "QEMU" : "none");
	/* Nothing says TCG; of what QEMU has for arm64 without KVM it is what there is on Linux. */
	ksnprintf(id->emulator, sizeof(id->emulator), "%s", board_is_qemu() && !kvm ? "qemu-tcg" : "none");
	ksnprintf(id->tags, sizeof(id->tags), "asid, %u bits", machine.arch.nr_asids > 256 ? 16 : 8);
	ksnprintf(id->broadcast, sizeof(id->broadcast), "tlbi is%s", machine.arch.tlbi_range ? ", ranges" : "");
	ksnprintf(id->full_flush, sizeof(id->full_flush), "tlbi vmalle1");
	/* HCR_EL2.FB makes all local TLBIs broadcasts: still right, and tlbi-local gains nothing. At EL2 head.S has cleared it. */
	ksnprintf(id->local_flush, sizeof(id->local_flush), "tlbi%s",
		  machine.arch.entry_level == 2 ? "" : "; perhaps broadcast by a hypervisor: HCR_EL2.FB can't be read at EL1");
	ksnprintf(id->irq_controller, sizeof(id->irq_controller), "gicv%u", machine.arch.hw->gic);
}

const char *platform_place(u32 hw_id, const char *told, struct place *place)
{
	if (!told)
		topology_place(hw_id, read_mpidr() & MPIDR_MT, place);
	return told ? told : "mpidr";
}

const struct platform_id *platform_id(void)
{
	return &machine.arch.id;
}
