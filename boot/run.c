/* SPDX-License-Identifier: BSD-2-Clause */
/* The run proper: strategies, tests, benchmarks, in this order. No state. */
#include "bench.h"
#include "boot/run.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "machine.h"
#include "test.h"

static void record_strategies(void)
{
	struct record r;
	char text[256];
	unsigned i;

	for (i = 0; i < machine.shootdown.nr; i++) {
		const struct strategy *s = &machine.shootdown.list[i];

		strategy_describe(s, text, sizeof(text));
		kprintf("strategy %s: %s\n", s->name, text);
		record_begin(&r, "strategy");
		record_str(&r, "strategy", s->name);
		record_str(&r, "stages", text);
		record_end(&r);
	}
}

static void record_absent(void)
{
	const struct insn_op *op;
	struct record r;

	REGISTRY_FOR_EACH (op, insns) {
		const char *missing = op->missing ? op->missing() : NULL;

		if (!missing)
			continue;
		kprintf("instruction %s: absent, it needs %s\n", op->name, missing);
		record_begin(&r, "absent");
		record_str(&r, "op", op->name);
		record_str(&r, "missing", missing);
		record_end(&r);
	}
}

/* What is to come, so that whoever reads along can tell how far the run is. */
static void record_plan(void)
{
	u64 sabotages, tests = tests_planned(&sabotages);
	struct record r;

	record_begin(&r, "plan");
	record_u64(&r, "tests", tests);
	record_u64(&r, "sabotages", sabotages);
	record_u64(&r, "results", benches_planned());
	record_end(&r);
}

void run_all(void)
{
	record_strategies();
	record_absent();
	record_plan();
	inject_fault();
	if (!tests_run())
		verdict_worsen(VERDICT_FAILED);
	if (!benches_run())
		verdict_worsen(VERDICT_ERROR);
}
