/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Set-up of one CPU beyond what head.S does, and what differs between CPUs. State: machine.arch.nr_asids, the boot CPU's; each
 * CPU's struct arch_cpu, written by that CPU.
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/platform.h"
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
	c->arch.regs = (struct cpu_regs){
		.sctlr = read_sctlr(), .tcr = read_tcr(),     .mair = read_mair(),   .ttbr1 = read_ttbr1(),
		.midr = read_midr(),   .mmfr0 = read_mmfr0(), .mmfr1 = read_mmfr1(), .cntfrq = read_cntfrq(),
	};
	if (!cpu) {
		machine.arch.nr_asids = read_tcr() & TCR_AS ? 1u << 16 : 1u << 8;
		machine.arch.tlbi_os = (read_isar0() >> ISAR0_TLB_SHIFT & 0xf) >= 1;
		machine.arch.tlbi_range = (read_isar0() >> ISAR0_TLB_SHIFT & 0xf) >= 2;
		machine.arch.ttl = (read_mmfr2() >> MMFR2_TTL_SHIFT & 0xf) >= 1;
	}
}

void platform_cpu_differences(unsigned cpu, char *buf, size_t size)
{
	cpu_regs_compare(&machine.cpu[cpu].arch.regs, &machine.cpu[0].arch.regs, buf, size);
}
