/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Set-up of one CPU, the same on every CPU: descriptor tables, per-CPU base, and the registers that decide how translations
 * and caches behave, written as whole values: firmware and INIT leave different ones behind. State: machine.arch.cr4, smap, pcid,
 * invpcid, invlpgb_pages; each CPU's struct arch_cpu, written by that CPU. (SDM vol. 3A 2.5, 3.5, 8.7, 12.11, 12.12)
 */
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "machine.h"
#include "option.h"

OPTION(pcid, .kind = OPTION_ENUM, .accepts = "auto|off", .def = "auto",
       .help = "tag the TLB by PCID where the CPU has it, or never");

enum { PCID_AUTO, PCID_OFF }; /* in the order of .accepts */

OPTION(invpcid, .kind = OPTION_ENUM, .accepts = "auto|tags|off", .def = "auto",
       .help = "where the CPU has INVPCID, use it to flush everything (instead of CR4.PGE); and the loaded tag (of CR3); or never");

enum { INVPCID_AUTO, INVPCID_TAGS, INVPCID_OFF };

static void read_regs(struct cpu_regs *regs);

bool cpu_is_amd(void)
{
	u32 ebx = cpuid(0, 0).ebx;

	return ebx == 0x68747541 /* Auth enticAMD */ || ebx == 0x6f677948 /* Hygo nGenuine */;
}

void cpu_choose(void)
{
	struct cpuid basic = cpuid(1, 0), more = { 0 };
	u64 cr4 = CR4_PAE | CR4_PGE;

	if (cpuid(0, 0).eax >= 7)
		more = cpuid(7, 0);
	if (basic.edx & 1 << 7)
		cr4 |= CR4_MCE;
	if (more.ebx & 1 << 7)
		cr4 |= CR4_SMEP;
	if (more.ebx & 1 << 20)
		cr4 |= CR4_SMAP;
	if (more.ecx & 1 << 2)
		cr4 |= CR4_UMIP;
	machine.arch.cr4 = cr4;
	machine.arch.smap = cr4 & CR4_SMAP;
	if (cpuid(0x80000000, 0).eax >= 0x80000008 && cpuid(0x80000008, 0).ebx & 1 << 3)
		machine.arch.invlpgb_pages = (cpuid(0x80000008, 0).edx & 0xffff) + 1;
}

/*
 * CPUs on which INVLPG leaves global entries behind while PCIDE is set, outside virtual machines: Alder Lake, Raptor Lake and
 * Gracemont. Newer microcode mends it, but there is no bit that says so; without tags it does not matter.
 */
static bool invlpg_leaves_globals(void)
{
	static const u8 models[] = { 0x97, 0x9a, 0xb7, 0xba, 0xbe, 0xbf };
	u32 eax = cpuid(1, 0).eax, model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);

	if (cpuid(0, 0).ebx != 0x756e6547 /* Genu ineIntel */ || (eax >> 8 & 0xf) != 6 || cpuid(1, 0).ecx & 1u << 31)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i] == model)
			return true;
	return false;
}

const char *cpu_choose_pcid(void)
{
	if (!(cpuid(1, 0).ecx & 1 << 17))
		return "this CPU has none";
	if (option_enum(&option_pcid) == PCID_OFF)
		return "pcid=off";
	if (invlpg_leaves_globals())
		return "INVLPG leaves global entries behind on this CPU while PCID is in use";
	/* CR3 holds PCID 0 here, so PCIDE may be set (SDM vol. 3A 4.10.1). Every other CPU gets the whole value. */
	machine.arch.pcid = true;
	machine.arch.cr4 |= CR4_PCIDE;
	write_cr4(machine.arch.cr4);
	read_regs(&this_cpu()->arch.regs);
	return NULL;
}

const char *cpu_choose_invpcid(void)
{
	if (cpuid(0, 0).eax < 7 || !(cpuid(7, 0).ebx & 1 << 10))
		return "this CPU has none";
	if (option_enum(&option_invpcid) == INVPCID_OFF)
		return "invpcid=off";
	machine.arch.invpcid = true;
	machine.arch.invpcid_tag = option_enum(&option_invpcid) == INVPCID_TAGS;
	return NULL;
}

static void load_tables(struct cpu *cpu, u64 block)
{
	struct arch_cpu *arch = &cpu->arch;
	u64 tss = (u64)&arch->tss;
	struct descriptor_table gdt = { sizeof(arch->gdt) - 1, (u64)arch->gdt };
	struct descriptor_table idt = { sizeof(machine.arch.idt) - 1, (u64)machine.arch.idt };

	arch->tss = (struct tss){ .io_map = sizeof(struct tss) };
	for (unsigned i = 0; i < NR_IST; i++)
		arch->tss.ist[i] = stack_top(block, i + 1);
	arch->gdt[SELECTOR_CODE / 8] = 0x00af9b000000ffff;
	arch->gdt[SELECTOR_DATA / 8] = 0x00cf93000000ffff;
	arch->gdt[SELECTOR_TSS / 8] = (sizeof(struct tss) - 1) | (tss & 0xffffff) << 16 | 0x89ull << 40 | (tss >> 24 & 0xff) << 56;
	arch->gdt[SELECTOR_TSS / 8 + 1] = tss >> 32;
	lgdt(&gdt);
	ltr(SELECTOR_TSS);
	lidt(&idt);
	arch->self = cpu;
	arch->yardstick = &cpu->smp.yardstick;
	wrmsr(MSR_GS_BASE, (u64)arch);
}

static void read_regs(struct cpu_regs *regs)
{
	static const u16 fixed[MTRR_FIXED] = { 0x250, 0x258, 0x259, 0x268, 0x269, 0x26a, 0x26b, 0x26c, 0x26d, 0x26e, 0x26f };
	unsigned pairs;

	*regs = (struct cpu_regs){
		.cr0 = read_cr0(),
		.cr4 = read_cr4(),
		.efer = rdmsr(MSR_EFER),
		.pat = rdmsr_safe(MSR_PAT).value,
	};
	if (!(cpuid(1, 0).edx & 1 << 12))
		return; /* no MTRRs */
	regs->mtrr_cap = rdmsr_safe(MSR_MTRR_CAP).value;
	regs->mtrr_def = rdmsr_safe(MSR_MTRR_DEF).value;
	for (unsigned i = 0; i < MTRR_FIXED && (regs->mtrr_cap & 1 << 8); i++)
		regs->mtrr_fixed[i] = rdmsr_safe(fixed[i]).value;
	pairs = MIN(regs->mtrr_cap & 0xff, (u64)MTRR_VARIABLE);
	for (unsigned i = 0; i < 2 * pairs; i++)
		regs->mtrr_variable[i] = rdmsr_safe(MSR_MTRR_VAR + i).value;
}

void cpu_set_up(unsigned cpu, u64 block)
{
	struct cpu *c = &machine.cpu[cpu];

	c->id = cpu;
	load_tables(c, block);
	write_cr0(CR0_WHOLE);
	wrmsr(MSR_EFER, EFER_WHOLE);
	wrmsr_safe(MSR_PAT, PAT_WHOLE);
	write_cr4(machine.arch.cr4);
	if (cpu_is_amd()) {
		/* LFENCE waits for everything before it only with this bit (or where it always does: then it can't be written). */
		struct msr cfg = rdmsr_safe(MSR_AMD_DE_CFG);

		if (!cfg.fault)
			wrmsr_safe(MSR_AMD_DE_CFG, cfg.value | 1 << 1);
	}
	read_regs(&c->arch.regs);
}

struct reg_name {
	const char *name;
	size_t offset;
	unsigned n; /* registers */
};

static const struct reg_name reg_names[] = {
	{ "cr0", offsetof(struct cpu_regs, cr0), 1 },
	{ "cr4", offsetof(struct cpu_regs, cr4), 1 },
	{ "efer", offsetof(struct cpu_regs, efer), 1 },
	{ "pat", offsetof(struct cpu_regs, pat), 1 },
	{ "mtrr-cap", offsetof(struct cpu_regs, mtrr_cap), 1 },
	{ "mtrr-def", offsetof(struct cpu_regs, mtrr_def), 1 },
	{ "mtrr-fixed", offsetof(struct cpu_regs, mtrr_fixed), MTRR_FIXED },
	{ "mtrr-variable", offsetof(struct cpu_regs, mtrr_variable), 2 * MTRR_VARIABLE },
};

/* "cr4=0x20(0xa0) ": this CPU's (CPU 0's). Of several registers the first that differs, and how many do. */
static void compare(const struct reg_name *r, unsigned cpu, char *buf, size_t size)
{
	const u64 *mine = (const u64 *)((const char *)&machine.cpu[cpu].arch.regs + r->offset);
	const u64 *zero = (const u64 *)((const char *)&machine.cpu[0].arch.regs + r->offset);
	unsigned first = r->n, n = 0;

	for (unsigned i = r->n; i-- > 0;) {
		if (mine[i] != zero[i]) {
			first = i;
			n++;
		}
	}
	if (!n)
		return;
	ksnprintf_append(buf, size, "%s%s", buf[0] ? " " : "", r->name);
	if (r->n > 1)
		ksnprintf_append(buf, size, "[%u]", first);
	ksnprintf_append(buf, size, "=0x%llx(0x%llx)", (unsigned long long)mine[first], (unsigned long long)zero[first]);
	if (n > 1)
		ksnprintf_append(buf, size, " and %u more", n - 1);
}

void platform_cpu_differences(unsigned cpu, char *buf, size_t size)
{
	buf[0] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(reg_names); i++)
		compare(&reg_names[i], cpu, buf, size);
}
