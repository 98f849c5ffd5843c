/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What of TLBI is used, and how, by what the CPUs are. State: machine.arch.repeat_tlbi, written once, before anything is broadcast;
 * machine.arch.id.errata, and what follows in .broadcast.
 */
#include "arch/arm64/errata.h"
#include "arch/arm64/metal/metal.h"
#include "lib/printf.h"
#include "machine.h"
#include "option.h"

OPTION(repeat_tlbi, .kind = OPTION_ENUM, .accepts = "auto|0|1|2", .def = "auto",
       .help = "TLBI and DSB so many times more after a broadcast's; auto: what the CPU with the worst erratum needs");

enum { REPEAT_AUTO, REPEAT_0 }; /* in the order of .accepts */

/* What one CPU needs, every broadcast must do: it waits for all of them. */
static const struct erratum *worst_erratum(void)
{
	const struct erratum *worst = NULL;

	for (unsigned cpu = 0; cpu < machine.arch.nr_cpus; cpu++)
		worst = erratum_worse(worst, erratum_of((u32)machine.cpu[cpu].arch.regs.midr));
	return worst;
}

void features_choose(void)
{
	const struct erratum *worst = worst_erratum();
	unsigned wanted = option_enum(&option_repeat_tlbi);
	struct platform_id *id = &machine.arch.id;

	machine.arch.repeat_tlbi = wanted != REPEAT_AUTO ? wanted - REPEAT_0 : worst ? worst->repeats : 0;
	ksnprintf(id->errata, sizeof(id->errata), "%s", worst ? worst->name : "none");
	if (machine.arch.repeat_tlbi)
		ksnprintf_append(id->broadcast, sizeof(id->broadcast), ", repeated %u", machine.arch.repeat_tlbi);
}
