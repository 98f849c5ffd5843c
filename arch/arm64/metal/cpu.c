/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Set-up of one CPU beyond what head.S does, and what differs between CPUs. State: machine.arch.nr_asids, the boot CPU's; each
 * CPU's struct arch_cpu, written by that CPU.
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "lib/printf.h"
#include "machine.h"

void cpu_set_up(unsigned cpu)
{
	struct cpu *c = &machine.cpu[cpu];

	c->id = cpu;
	write_tpidr((u64)c);
	write_tpidrro((u64)&c->smp.yardstick); /* entry.S */
	write_vbar((u64)vectors);
	c->arch.counts_cycles = clock_set_up();
	isb();
	unmask_serrors(); /* there are vectors now: one is reported where it comes */
	c->arch.regs = (struct cpu_regs){ read_sctlr(), read_tcr(),   read_mair(),  read_midr(),
					  read_mmfr0(), read_mmfr1(), read_cntfrq() };
	if (!cpu) {
		machine.arch.nr_asids = read_tcr() & TCR_AS ? 1u << 16 : 1u << 8;
		machine.arch.tlbi_os = (read_isar0() >> ISAR0_TLB_SHIFT & 0xf) >= 1;
		machine.arch.tlbi_range = (read_isar0() >> ISAR0_TLB_SHIFT & 0xf) >= 2;
		machine.arch.ttl = (read_mmfr2() >> MMFR2_TTL_SHIFT & 0xf) >= 1;
	}
}

static const struct {
	const char *name;
	size_t offset;
} reg_names[] = {
	{ "sctlr", offsetof(struct cpu_regs, sctlr) }, { "tcr", offsetof(struct cpu_regs, tcr) },
	{ "mair", offsetof(struct cpu_regs, mair) },   { "midr", offsetof(struct cpu_regs, midr) },
	{ "mmfr0", offsetof(struct cpu_regs, mmfr0) }, { "mmfr1", offsetof(struct cpu_regs, mmfr1) },
	{ "cntfrq", offsetof(struct cpu_regs, cntfrq) },
};

/* "tcr=0x20(0xa0) ": this CPU's (CPU 0's). */
void platform_cpu_differences(unsigned cpu, char *buf, size_t size)
{
	buf[0] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(reg_names); i++) {
		u64 mine = *(const u64 *)((const char *)&machine.cpu[cpu].arch.regs + reg_names[i].offset);
		u64 zero = *(const u64 *)((const char *)&machine.cpu[0].arch.regs + reg_names[i].offset);

		if (mine != zero)
			ksnprintf_append(buf, size, "%s%s=0x%llx(0x%llx)", buf[0] ? " " : "", reg_names[i].name,
					 (unsigned long long)mine, (unsigned long long)zero);
	}
}
