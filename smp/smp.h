/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp/: CPUs by logical number (0 = the boot CPU, then as firmware lists them; a hardware id is never a number), waits, cross
 * calls, locks, the watchdog. State of this floor in struct machine and struct cpu.
 */
#ifndef SMP_SMP_H
#define SMP_SMP_H

#include "arch/atomic.h"
#include "smp/cpumask.h"
#include "types.h"

struct smp_state {
	unsigned nr_cpus; /* online, numbered 0..nr_cpus-1; fixed once bring-up has ended */
	unsigned nr_expected; /* firmware's enabled ones */
	struct cpumask online;
	u64 watchdog_ticks; /* 0 = off */
	bool idle_spins; /* idle=spin */
	struct word watchdog_barks; /* a CPU is ending the run */
};

/* What a CPU is waiting for, as others may read it. */
struct wait_state {
	struct word what; /* const char *; 0 = not waiting */
	struct word since; /* clock ticks */
	struct word halted; /* it may be halted: change the word it waits for, then look at this, then wake it */
};

/* What a CPU did last, by its owner, for the watchdog: smp/crumb.h. */
struct crumb {
	struct word irqs_off; /* const char *: what interrupts were last taken off for; 0: nothing yet */
	struct word call; /* struct call_node * that it last took from its list; 0: none yet */
};

/* What a CPU said in answer to IPI_SNAPSHOT. */
struct snapshot {
	struct word seq; /* incremented when the rest is complete */
	struct word pc;
	struct word irqs_on;
};

/*
 * A call of a function on another CPU. The initiator owns one node per target; a node is on one list at most and is free
 * again when its `busy` is 0. One cache line each, so that two targets never share one.
 */
struct call_node {
	struct word next;
	struct word busy;
	struct word fn; /* call_fn * */
	struct word arg;
} __attribute__((aligned(CACHE_LINE)));

/* What others write often has a line of its own. */
struct smp_cpu {
	struct word call_list __attribute__((aligned(CACHE_LINE))); /* newest node first; others push, the owner takes all */
	struct word yardstick __attribute__((aligned(CACHE_LINE))); /* the handler of IPI_YARDSTICK stores 1 */
	struct call_node *call_nodes __attribute__((aligned(CACHE_LINE))); /* [nr_cpus]: the owner's, one per target */
	struct cpumask kick; /* call_issue(): who needs an interrupt, where not all do */
	struct cpumask others; /* call_on(): all but self */
	struct wait_state wait __attribute__((aligned(CACHE_LINE)));
	struct crumb crumb;
	struct word progress; /* anything done: jobs, calls, waits passed */
	struct snapshot snapshot;
	u64 wait_ticks; /* spent in waits that did not pass at once, by the clock of samples */
};

/* Reads the options of this floor; after the clock is known. */
void smp_init(void);

#endif
