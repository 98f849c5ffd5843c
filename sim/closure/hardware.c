/* SPDX-License-Identifier: BSD-2-Clause */
/* The hardware of the models: hardware.h. Owns cpus, pages. */
#include <stdio.h>
#include <string.h>

#include "arch/broadcast.h"
#include "sim/closure/hardware.h"

struct cpu_now cpus[CPUS];
struct page_now pages[NR_MMS];

unsigned tlb_nr_tags(void)
{
	return limits.tags;
}

unsigned loaded_asid(void)
{
	return cpus[this_thread].asid;
}

void drop(unsigned cpu, unsigned asids)
{
	unsigned m;

	for (m = 0; m < limits.mms; m++) {
		pages[m].now[cpu] &= ~asids;
		pages[m].before[cpu] &= ~asids;
	}
	cpus[cpu].gone &= ~asids;
}

void tlb_flush_everything(void)
{
	closure_step();
	closure_note("drops all its entries");
	drop(this_thread, ~0u);
}

void tlb_flush_other_tag(struct tag tag)
{
	closure_step();
	closure_note("drops its entries under ASID %u", tag.asid);
	drop(this_thread, 1u << tag.asid);
}

void load_root(struct tag tag)
{
	closure_step();
	if (tag.flush)
		drop(this_thread, 1u << tag.asid);
	cpus[this_thread].loaded = threads[this_thread].mm;
	cpus[this_thread].asid = tag.asid;
	closure_note("loads the root under ASID %u%s", tag.asid, tag.flush ? ", which is flushed" : "");
}

/* --- broadcasts --- */

void broadcast(unsigned asids)
{
	unsigned c;

	closure_step();
	for (c = 0; c < limits.cpus; c++)
		cpus[c].due |= asids;
}

void broadcast_all_tags(void)
{
	broadcast((1u << limits.tags) - 1);
	closure_note("broadcasts: drop all");
}

static bool is_due(void)
{
	unsigned c;

	for (c = 0; c < limits.cpus; c++)
		if (cpus[c].due)
			return true;
	return false;
}

void broadcast_sync(void)
{
	do
		closure_step();
	while (is_due());
	closure_note("the broadcast is done everywhere");
}

const char *broadcast_missing(void)
{
	return NULL;
}

static bool may_hear(unsigned thread, int m)
{
	(void)m;
	return cpus[thread - TLB_OF(0)].due;
}

static void hear(void)
{
	struct cpu_now *cpu = &cpus[this_thread - TLB_OF(0)];

	closure_note("drops what it has to");
	drop((unsigned)(cpu - cpus), cpu->due);
	cpu->due = 0;
}

static const struct op tlb_ops[] = { { "hears a broadcast", false, may_hear, hear }, { 0 } };

void name_thread(char *buf, size_t size, unsigned t)
{
	if (t < limits.cpus)
		snprintf(buf, size, "CPU %u", t);
	else if (t == FLUSHER)
		snprintf(buf, size, "flusher");
	else
		snprintf(buf, size, "TLB of CPU %u", t - TLB_OF(0));
}

/* --- the state --- */

void hardware_begin(void)
{
	static const struct op none[] = { { 0 } };
	unsigned i;

	for (i = 0; i < NR_THREADS; i++)
		threads[i].mm = NOBODY;
	for (i = 0; i < limits.cpus; i++) {
		cpus[i].loaded = NOBODY;
		ops_of[TLB_OF(i)] = tlb_ops;
	}
	for (i = 0; i < limits.mms; i++)
		pages[i].mapped = true;
	ops_of[FLUSHER] = none;
	nr_threads = TLB_OF(limits.cpus);
}

void code_cpu(struct codec *k, unsigned c)
{
	cpus[c].asid = (unsigned)coded(k, 3, cpus[c].asid);
	cpus[c].due = (unsigned)coded(k, limits.tags, cpus[c].due);
	cpus[c].gone = (unsigned)coded(k, limits.tags, cpus[c].gone);
	if (k->taking)
		cpus[c].loaded = NOBODY; /* code_page() */
}

void code_page(struct codec *k, unsigned m)
{
	unsigned c;

	pages[m].mapped = coded(k, 1, pages[m].mapped);
	for (c = 0; c < limits.cpus; c++) {
		pages[m].now[c] = (unsigned)coded(k, limits.tags, pages[m].now[c]);
		pages[m].before[c] = (unsigned)coded(k, limits.tags, pages[m].before[c]);
		if (coded(k, 1, cpus[c].loaded == (int)m))
			cpus[c].loaded = (int)m;
	}
}

void fill(void)
{
	unsigned c;

	for (c = 0; c < limits.cpus; c++)
		if (cpus[c].loaded != NOBODY && pages[cpus[c].loaded].mapped)
			pages[cpus[c].loaded].now[c] |= 1u << cpus[c].asid;
}

/* --- invariants --- */

/* Of two mms of which CPU c holds entries under one ASID; or an mm, and one that has ended. */
static bool unique(unsigned c, unsigned m, unsigned asids, const char *other)
{
	unsigned both = (pages[m].now[c] | pages[m].before[c]) & asids;

	if (both)
		closure_note("CPU %u holds entries of %c and of %s under ASID %d", c, 'A' + m, other, __builtin_ctz(both));
	return !both;
}

bool UniqueASIDPerCPU(void)
{
	unsigned c, m, n;

	for (c = 0; c < limits.cpus; c++)
		for (m = 0; m < limits.mms; m++) {
			if (!unique(c, m, cpus[c].gone, "one that has ended"))
				return false;
			for (n = 0; n < m; n++)
				if (!unique(c, m, pages[n].now[c] | pages[n].before[c], (char[]){ (char)('A' + n), '\0' }))
					return false;
		}
	return true;
}

/* Between two mms the old one is loaded still, and what the C knows of is the new one. */
static bool runs_one(unsigned c)
{
	return !threads[c].busy && cpus[c].loaded != NOBODY;
}

bool active_agree(bool same_mm)
{
	unsigned c, d;

	for (c = 0; c < limits.cpus; c++)
		for (d = 0; d < c; d++) {
			if (!runs_one(c) || !runs_one(d) || (cpus[c].loaded == cpus[d].loaded) != same_mm)
				continue;
			if ((cpus[c].asid == cpus[d].asid) != same_mm) {
				closure_note("CPU %u runs %c under ASID %u, CPU %u %c under %u", d, 'A' + cpus[d].loaded,
					     cpus[d].asid, c, 'A' + cpus[c].loaded, cpus[c].asid);
				return false;
			}
		}
	return true;
}
