/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "lazy-skips-freed-tables": lazy CPUs are left out even when tables are freed. */
#include "machine.h"
#include "mm/shootdown/stages.h"
#include "tests/sabotage/base.h"

static void holders(const struct request *req, struct cpumask *out)
{
	unsigned cpu;

	base_holders(req, out);
	/* The end of the mm still reaches them: that is another sabotage. */
	for_each_cpu(cpu, out)
		if (req->change != CHANGE_EXIT && load_relaxed(&machine.cpu[cpu].tlb.lazy))
			cpumask_clear(out, cpu);
}

static const struct tracker lazy_skips_freed_tables = {
	.switch_in = base_switch_in,
	.entered = tracker_same_tag,
	.switch_out = tracker_keep,
	.filled = tracker_fill_as_is,
	.holders = holders,
	.left = base_left,
	.renewed = tracker_keep,
};

CHOICE(lazy_skips_freed_tables, .stage = STAGE_TRACKER, .name = "lazy-skips-freed-tables", .needs = CATCHES_UP, .gives = KEEPS_BITS,
       .sabotage = true, .tracker = &lazy_skips_freed_tables, .help = "wrong: lazy CPUs are left out even when tables are freed");
SABOTAGE(lazy_skips_freed_tables, .name = "lazy-skips-freed-tables", .spec = "ipi+lazy-skips-freed-tables+quarantine",
	 .help = "lazy CPUs are left out even when tables are freed");
