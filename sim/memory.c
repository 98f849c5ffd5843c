/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory order of x86: a FIFO store buffer per CPU (TSO). A load sees the CPU's own newest buffered store to that word, else
 * memory; a store enters the buffer and reaches memory later, in order, when a decision says so; locked operations and fences empty
 * the buffer first. Page walkers read memory, never a buffer. (SDM vol. 3A 9.2.)
 */
#include "sim/model.h"

u64 memory_load(const u64 *at)
{
	const struct model_cpu *c = &model.cpu[model.current];
	unsigned i;

	for (i = c->nr_stores; i-- > 0;)
		if (c->stores[i].at == at)
			return c->stores[i].value;
	return *at;
}

void memory_drain_one(unsigned cpu)
{
	struct model_cpu *c = &model.cpu[cpu];
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
	while (model.cpu[cpu].nr_stores)
		memory_drain_one(cpu);
}

void memory_store(u64 *at, u64 value)
{
	struct model_cpu *c = &model.cpu[model.current];

	if (c->nr_stores == STORE_BUFFER)
		memory_drain_one(model.current);
	c->stores[c->nr_stores++] = (struct store){ at, value };
}
