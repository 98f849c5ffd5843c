/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts to other CPUs through the local APIC's interrupt command register, in physical destination mode. State: the map from
 * logical numbers to APIC ids in machine.arch, constant once CPUs have been brought up. (SDM vol. 3A 11.6, 11.12.9)
 */
#include "arch/irq.h"
#include "arch/x86/insn.h"
#include "arch/x86/ipi.h"
#include "machine.h"
#include "option.h"

OPTION(ipi, .kind = OPTION_ENUM, .accepts = "unicast|allbutself", .def = "unicast",
       .help = "one interrupt command per target, or one for all where the targets are all others");

enum { IPI_UNICAST, IPI_ALL_BUT_SELF }; /* in the order of .accepts */

static const u32 commands[NR_IPIS] = {
	[IPI_CALL] = ICR_FIXED | VECTOR_CALL,
	[IPI_WAKE] = ICR_FIXED | VECTOR_WAKE,
	[IPI_YARDSTICK] = ICR_FIXED | VECTOR_YARDSTICK,
	[IPI_SNAPSHOT] = ICR_NMI,
};

void apic_icr(u32 hw_id, u32 command)
{
	if (machine.arch.x2apic)
		x2apic_icr(hw_id, command);
	else
		xapic_icr(hw_id, command);
}

/*
 * Orders this CPU's earlier stores before the interrupt command, when that is a WRMSR: it may be performed while they are
 * still in the store buffer, and the target's handler would then read old values. Partner: interrupt delivery, after which
 * the handler's loads come. MFENCE drains the buffer, LFENCE keeps WRMSR from starting before that (SDM vol. 3A 11.12.3).
 * xAPIC's ICR is an uncached store: it stays behind earlier ones by itself.
 */
static void order_before_icr(void)
{
	if (machine.arch.x2apic) {
		mfence();
		lfence();
	}
}

static void send(enum ipi ipi, unsigned cpu)
{
	/* A counter, as an NMI carries no vector: the target takes it for ours only if somebody asked. */
	if (ipi == IPI_SNAPSHOT)
		add_full(&machine.cpu[cpu].arch.snapshots_asked, 1);
	apic_icr(machine.arch.hw_id[cpu], commands[ipi]);
}

void ipi_init(bool all_here)
{
	machine.arch.use_shorthand = all_here && option_enum(&option_ipi) == IPI_ALL_BUT_SELF;
}

static bool all_others(const struct cpumask *targets)
{
	return cpumask_weight(targets) == machine.arch.nr_cpus - 1;
}

unsigned ipi_send(enum ipi ipi, const struct cpumask *targets)
{
	unsigned words = cpumask_words(), sent = 0;

	order_before_icr();
	if (machine.arch.use_shorthand && ipi != IPI_SNAPSHOT && all_others(targets)) {
		apic_icr(0, commands[ipi] | ICR_ALL_BUT_SELF);
		return 1;
	}
	for (unsigned w = 0; w < words; w++) {
		for (u64 bits = targets->bits[w]; bits; bits &= bits - 1, sent++)
			send(ipi, w * 64 + (unsigned)__builtin_ctzll(bits));
	}
	return sent;
}

void ipi_send_one(enum ipi ipi, unsigned cpu)
{
	order_before_icr();
	send(ipi, cpu);
}
