/* SPDX-License-Identifier: BSD-2-Clause */
/* x86's part of a state (sim/state_model.c): registers, and what is in store buffers. No state. */
#include <string.h>

#include "sim/hash.h"
#include "sim/reduce.h"
#include "sim/x86/x86.h"

u64 isa_state(void)
{
	unsigned cpu;
	u64 h = 7;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		struct isa_cpu isa = model.cpu[cpu].isa;

		memset(isa.stores + isa.nr_stores, 0, (STORE_BUFFER - isa.nr_stores) * sizeof(isa.stores[0]));
		h = hash_bytes(&isa, sizeof(isa), h);
	}
	return h;
}

/* TSO: loads overtake stores. */
bool isa_load_drains(unsigned cpu, bool acquire)
{
	(void)cpu, (void)acquire;
	return false;
}
