/* SPDX-License-Identifier: BSD-2-Clause */
/* `help` on the command line: everything that can be chosen, from the registries. Owns no state. */
#include "bench.h"
#include "boot/state.h"
#include "lib/printf.h"
#include "machine.h"
#include "test.h"

static void help_options(void)
{
	const struct option *o;
	char accepts[160];

	kprintf("\nOptions, NAME=VALUE (default):\n");
	REGISTRY_FOR_EACH (o, options) {
		option_accepts(o, accepts, sizeof(accepts));
		kprintf("  %s=%s (%s)\n      %s\n", o->name, accepts, o->def, o->help);
	}
}

static void help_presets(void)
{
	const struct preset *p;

	kprintf("\nStrategies for tlb= by name; * is part of tlb=all:\n");
	REGISTRY_FOR_EACH (p, presets)
		kprintf("  %c %-12s %-36s %s\n", p->compare ? '*' : ' ', p->name, p->spec, p->help);
}

static void help_choice(const struct choice *c)
{
	char value[48] = "";

	if (c->takes_value)
		ksnprintf(value, sizeof(value), "=%llu..%llu (%llu)", (unsigned long long)c->min, (unsigned long long)c->max,
			  (unsigned long long)c->def);
	kprintf("  %c %s%s: %s%s\n", c->by_default ? '*' : ' ', c->name, value, c->help,
		c->sabotage ? " [wrong on purpose]" : "");
}

static void help_choices(void)
{
	const struct choice *c;

	kprintf("\nStages and their choices, for TRANSPORT+CHOICE[=VALUE]...; * is the default:\n");
	for (unsigned stage = 0; stage < NR_STAGES; stage++) {
		kprintf("  %s\n", stage_name((enum stage)stage));
		REGISTRY_FOR_EACH (c, choices) {
			if (c->stage == stage)
				help_choice(c);
		}
	}
}

static void help_counters(void)
{
	const struct counter *c;

	kprintf("\nCounters in results:\n");
	REGISTRY_FOR_EACH (c, counters)
		kprintf("  %-24s %s\n", c->name, c->help);
}

static void help_benchmarks(void)
{
	const struct bench *b;

	kprintf("\nBenchmarks, bench=NAME,...:\n");
	REGISTRY_FOR_EACH (b, benches)
		kprintf("  %-12s %s\n", b->name, b->help);
}

static void help_tests(void)
{
	const struct test *t;
	const struct sabotage *s;

	kprintf("\nTests, tests=NAME,...:\n");
	REGISTRY_FOR_EACH (t, tests)
		kprintf("  %-24s %s\n", t->name, t->help);
	kprintf("\nSabotages that tests must catch:\n");
	REGISTRY_FOR_EACH (s, sabotages)
		kprintf("  %-24s %-28s %s\n", s->name, s->spec, s->help);
}

void print_help(void)
{
	help_options();
	help_presets();
	help_choices();
	help_benchmarks();
	help_tests();
	help_counters();
}
