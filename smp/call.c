/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cross calls. State: a list of nodes per target (smp.call_list, pushed by anyone, taken whole by the owner) and one node per
 * (initiator, target) pair, the initiator's. No locks.
 *
 * Invariants: a node is on a list, or being run and not acknowledged, exactly while busy = 1, and only its initiator sets that; a
 * list that was empty when a node was pushed has an interrupt on its way.
 *
 * Calls of different initiators run in no particular order (the list is taken newest first). Receivers must not care; for
 * flushes that is rule "exactly one behind" in mm/shootdown/receive.c.
 */
#include "arch/frame.h"
#include "arch/irq.h"
#include "arch/upcall.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "machine.h"
#include "smp/call.h"
#include "smp/crumb.h"
#include "smp/wait.h"
#include "smp/watchdog.h"

COUNTER(ipis_received, "interrupts taken for cross calls");
COUNTER(ipi_commands, "interrupt commands written for cross calls");

void call_init(void)
{
	u64 bytes = machine.smp.nr_cpus * sizeof(struct call_node);
	unsigned cpu;

	for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++)
		machine.cpu[cpu].smp.call_nodes = frame_contents(boot_alloc(bytes, PAGE_SIZE));
}

/* Returns whether the list was empty. */
static bool push(struct word *list, struct call_node *node)
{
	u64 head;

	do {
		head = load_relaxed(list);
		store_relaxed(&node->next, head);
		/*
		 * Full order: the node's fields, and all that the caller did before (its PTE stores, its request), are visible to
		 * whoever takes the list. Partner: the exchange in call_serve().
		 */
	} while (!cas_full(list, head, (u64)node));
	return !head;
}

unsigned call_issue(call_fn *fn, const void *arg, const struct cpumask *targets)
{
	struct smp_cpu *self = &this_cpu()->smp;
	const struct cpumask *kick = targets;
	unsigned cpu, kicked = 0, last = 0;

	for_each_cpu(cpu, targets) {
		struct call_node *node = &self->call_nodes[cpu];

		store_relaxed(&node->fn, (u64)fn);
		store_relaxed(&node->arg, (u64)arg);
		store_relaxed(&node->busy, 1);
		if (push(&machine.cpu[cpu].smp.call_list, node)) {
			kicked++;
			last = cpu;
			continue;
		}
		if (kick == targets) {
			cpumask_copy(&self->kick, targets);
			kick = &self->kick;
		}
		cpumask_clear(&self->kick, cpu);
	}
	if (kicked == 1) {
		ipi_send_one(IPI_CALL, last); /* a quarter of the instructions of a mask */
		count(&counter_ipi_commands, 1);
	} else if (kicked) {
		count(&counter_ipi_commands, ipi_send(IPI_CALL, kick));
	}
	return kicked;
}

void call_sync(const struct cpumask *targets, const char *what)
{
	struct call_node *nodes = this_cpu()->smp.call_nodes;
	unsigned cpu;

	/* Acquire (in wait_until): what the target did in the call is before whatever comes next here, such as reuse of a frame. */
	for_each_cpu(cpu, targets)
		wait_until(&nodes[cpu].busy, WAIT_EQ, 0, what);
}

void call_serve(void)
{
	struct smp_cpu *self = &this_cpu()->smp;
	struct call_node *node;

	if (!load_relaxed(&self->call_list))
		return;
	node = (struct call_node *)xchg_full(&self->call_list, 0);
	while (node) {
		call_fn *fn = (call_fn *)load_relaxed(&node->fn);
		/* Before the function: it acknowledges, and then the node may be on a list again. */
		struct call_node *next = (struct call_node *)load_relaxed(&node->next);

		store_relaxed(&self->crumb.call, (u64)node);
		fn(node);
		node = next;
	}
	add_owner(&self->progress, 1);
}

void upcall_ipi_call(void)
{
	count(&counter_ipis_received, 1);
	call_serve();
}

struct whole_call {
	void (*fn)(const void *arg);
	const void *arg;
};

static void run_whole(struct call_node *call)
{
	const struct whole_call *whole = call_arg(call);

	whole->fn(whole->arg);
	call_done(call);
}

void call_on(const struct cpumask *cpus, void (*fn)(const void *arg), const void *arg)
{
	struct whole_call whole = { fn, arg };
	struct cpu *self = this_cpu();

	cpumask_copy(&self->smp.others, cpus);
	cpumask_clear(&self->smp.others, self->id);
	call_issue(run_whole, &whole, &self->smp.others);
	if (cpumask_test(cpus, self->id)) {
		bool irqs = irq_save_for("its part of a cross call");

		fn(arg);
		irq_restore(irqs);
	}
	call_sync(&self->smp.others, "a cross call");
}

void upcall_call_all(void (*fn)(const void *arg), const void *arg)
{
	call_on(&machine.smp.online, fn, arg);
}

/* Whose node it is: each CPU has one for each target. */
static unsigned initiator_of(const struct call_node *node, unsigned target)
{
	unsigned cpu = 0;

	while (cpu < machine.smp.nr_cpus - 1 && node != &machine.cpu[cpu].smp.call_nodes[target])
		cpu++;
	return cpu;
}

/* Has it been taken, but not been acknowledged? Nodes are never freed, so a list that others push to may be looked at. */
static bool under_way(const struct call_node *node, const struct word *list)
{
	const struct call_node *queued = (const struct call_node *)load_acquire(list);
	unsigned i;

	for (i = 0; queued && queued != node && i < machine.smp.nr_cpus; i++)
		queued = (const struct call_node *)load_relaxed(&queued->next);
	return queued != node && load_relaxed(&node->busy);
}

static void dump_line(unsigned cpu, char *buf, size_t size)
{
	const struct smp_cpu *smp = &machine.cpu[cpu].smp;
	const struct call_node *last = (const struct call_node *)load_relaxed(&smp->crumb.call);
	const char *off = (const char *)load_relaxed(&smp->crumb.irqs_off);

	ksnprintf(buf, size, "calls %s", load_relaxed(&smp->call_list) ? "queued" : "none");
	if (last)
		ksnprintf_append(buf, size, ", %s CPU %u's", under_way(last, &smp->call_list) ? "in" : "last one",
				 initiator_of(last, cpu));
	ksnprintf_append(buf, size, "; interrupts last off for %s", off ? off : "nothing");
}

DUMP(call, dump_line);
