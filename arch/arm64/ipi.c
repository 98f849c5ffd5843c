/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts to other CPUs: software generated interrupts, whose id is the enum ipi's. One command reaches the targets of one
 * cluster (GIC version 3: 16 values of affinity 0) or any of the 8 CPUs there can be (version 2), or all but this one. State: the
 * map from logical numbers to hardware ids, one_by_one and use_shorthand in machine.arch, constant once CPUs have been brought up.
 * (IHI 0069 ICC_SGI1R_EL1; IHI 0048 GICD_SGIR)
 */
#include "arch/irq.h"

#include "arch/arm64/insn.h"
#include "arch/arm64/ipi.h"
#include "boot_info.h"
#include "machine.h"
#include "option.h"

OPTION(ipi, .kind = OPTION_ENUM, .accepts = "unicast|cluster|allbutself", .def = "cluster",
       .help = "one interrupt command per target; per cluster, with a list of targets; or one for all where those are all others");

enum { IPI_UNICAST, IPI_CLUSTER, IPI_ALL_BUT_SELF }; /* in the order of .accepts */

#define SGI1R_ALL_BUT_SELF (1ull << 40) /* IRM */
#define SGIR_ALL_BUT_SELF (1ull << 24) /* TargetListFilter 1 */

/* Targets that one command can name together. */
struct command {
	u64 cluster; /* version 3: affinities above 0, and the range of affinity 0, as ICC_SGI1R has them */
	u64 list;
};

void ipi_init(bool all_here)
{
	u64 how = option_enum(&option_ipi);

	machine.arch.one_by_one = how == IPI_UNICAST;
	machine.arch.use_shorthand = all_here && how == IPI_ALL_BUT_SELF;
}

static struct command all_but_self(void)
{
	return (struct command){ .list = machine.arch.hw->gic == 2 ? SGIR_ALL_BUT_SELF : SGI1R_ALL_BUT_SELF };
}

static bool all_others(const struct cpumask *targets)
{
	return cpumask_weight(targets) == machine.arch.nr_cpus - 1;
}

static struct command target(unsigned cpu)
{
	u64 id = machine.arch.hw_id[cpu];

	if (machine.arch.hw->gic == 2)
		return (struct command){ 0, (u64)machine.arch.gic_target[cpu] << 16 };
	return (struct command){ (id >> 24) << 48 | (id >> 4 & 0xf) << 44 | (id >> 16 & 0xff) << 32 | (id >> 8 & 0xff) << 16,
				 1ull << (id & 0xf) };
}

/*
 * DSB ISHST before it: what this CPU stored is visible to the target, its walks included, before the interrupt is there. Partner:
 * interrupt delivery, after which the handler's loads come. A DMB would not do: the command is no store to memory.
 */
static void write_command(enum ipi ipi, struct command c)
{
	if (machine.arch.hw->gic == 2)
		mmio_write(machine.arch.gic_dist + GICD_SGIR, (u32)c.list | ipi);
	else
		write_icc_sgi1r(c.cluster | (u64)ipi << 24 | c.list);
}

unsigned ipi_send(enum ipi ipi, const struct cpumask *targets)
{
	struct command all = { 0 };
	unsigned cpu, sent = 0;

	dsb_ishst();
	if (machine.arch.use_shorthand && all_others(targets)) {
		write_command(ipi, all_but_self());
		isb();
		return 1;
	}
	for_each_cpu(cpu, targets) {
		struct command one = target(cpu);

		if (all.list && (machine.arch.one_by_one || all.cluster != one.cluster)) {
			write_command(ipi, all);
			sent++;
			all.list = 0;
		}
		all.cluster = one.cluster;
		all.list |= one.list;
	}
	if (all.list) {
		write_command(ipi, all);
		sent++;
	}
	isb(); /* version 3: sent now, not when this CPU next synchronizes */
	return sent;
}

void ipi_send_one(enum ipi ipi, unsigned cpu)
{
	dsb_ishst();
	write_command(ipi, target(cpu));
	isb();
}
