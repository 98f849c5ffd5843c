/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory order of x86: a FIFO store buffer per CPU (TSO). A load sees the CPU's own newest buffered store to that word, else
 * memory; a store enters the buffer and reaches memory later, in order, when a decision says so; locked operations and fences empty
 * the buffer first. Page walkers read memory, never a buffer. (SDM vol. 3A 9.2.)
 */
#include "sim/x86/x86.h"

unsigned memory_pending(unsigned cpu)
{
	return model.cpu[cpu].isa.nr_stores;
}

u64 memory_own(unsigned cpu, const u64 *at)
{
	const struct isa_cpu *c = &model.cpu[cpu].isa;
	unsigned i;

	for (i = c->nr_stores; i-- > 0;)
		if (c->stores[i].at == at)
			return c->stores[i].value;
	return *at;
}

void memory_drain_one(unsigned cpu)
{
	struct isa_cpu *c = &model.cpu[cpu].isa;
	unsigned i;

	if (!c->nr_stores)
		return;
	*c->stores[0].at = c->stores[0].value;
	for (i = 1; i < c->nr_stores; i++)
		c->stores[i - 1] = c->stores[i];
	c->nr_stores--;
	model.seen.drains++;
}

void memory_drain(unsigned cpu)
{
	while (model.cpu[cpu].isa.nr_stores)
		memory_drain_one(cpu);
}

void memory_store(u64 *at, u64 value)
{
	struct isa_cpu *c = &model.cpu[model.current].isa;

	if (c->nr_stores == STORE_BUFFER)
		memory_drain_one(model.current);
	c->stores[c->nr_stores++] = (struct store){ at, value };
}

/* Delivery empties the store buffer (SDM vol. 3A 12.10), and so does IRET, which serialises (9.3). */
void isa_exception(unsigned cpu)
{
	memory_drain(cpu);
}

void isa_exception_return(unsigned cpu)
{
	memory_drain(cpu);
}
