/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What walks see of stores to tables: rule 26. They read memory, never a buffer, and what DMB orders need not be in order for them:
 * a store to a table is surely seen by walks only after a DSB of a CPU that stored it, or has read something that was stored by one
 * that knew of it (Arm ARM D8.2.6; Simner et al., ESOP 2022). Owns isa_model.late and what is known of it (isa_cpu, struct write).
 */
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"

static void forget_late(unsigned slot)
{
	u64 bit = 1ull << slot;
	unsigned i;

	model.isa.late[slot].at = NULL;
	for (i = 0; i < model.nr_cpus; i++)
		model.cpu[i].isa.known &= ~bit;
	for (i = 0; i < WRITES; i++)
		model.isa.writes[i].known &= ~bit;
}

/* Walks see that store from now on, and so those to the same entry before it. */
static void publish(unsigned slot)
{
	const struct late done = model.isa.late[slot];
	unsigned i;

	for (i = 0; i < LATE; i++)
		if (model.isa.late[i].at == done.at && model.isa.late[i].time <= done.time)
			forget_late(i);
}

/* A slot; the oldest one is published if none is unused (the model's limit). */
static unsigned late_slot(void)
{
	unsigned i, oldest = 0;

	for (i = 0; i < LATE; i++) {
		if (!model.isa.late[i].at)
			return i;
		if (model.isa.late[i].time < model.isa.late[oldest].time)
			oldest = i;
	}
	publish(oldest);
	return oldest;
}

/* Who knows of a store is known only as far back as writes are. */
static void publish_old(void)
{
	unsigned i;

	for (i = 0; i < LATE; i++)
		if (model.isa.late[i].at && model.isa.late[i].time <= memory_horizon())
			publish(i);
}

static bool in_table(const u64 *at)
{
	u64 pa = (u64)((const u8 *)at - ARENA);

	return (const u8 *)at >= ARENA && pa < ARENA_BYTES && oracle_frame_is_table(pa & ~(PAGE - 1ull));
}

/*
 * Rule 27, for what is written: an entry that is valid changes in rights, the access flag and bits that hardware ignores only,
 * else it has to be taken away and flushed first. Whether somebody has it in a TLB is not looked at (that is O-MULTI's).
 */
static void check_break(unsigned cpu, const u64 *at, u64 value)
{
	u64 may_change = PTE_AF | PTE_USER | PTE_READ_ONLY | PTE_NO_EXEC | PTE_IGNORED;

	if (*at & value & PTE_VALID && (*at ^ value) & ~may_change && oracle_on("I-BREAK"))
		violation("I-BREAK", "CPU %u changes an entry from 0x%llx to 0x%llx, which are both valid", cpu, (llu)*at,
			  (llu)value);
}

void walks_stored(unsigned cpu, const u64 *at, u64 value)
{
	unsigned slot;

	publish_old();
	if (*at == value || !in_table(at))
		return;
	check_break(cpu, at, value);
	slot = late_slot();
	model.isa.late[slot] = (struct late){ at, *at, model.isa.time, (u16)cpu };
	model.cpu[cpu].isa.known |= 1ull << slot;
}

void walks_publish(unsigned cpu)
{
	unsigned i;

	for (i = 0; i < LATE; i++)
		if (model.cpu[cpu].isa.known & 1ull << i)
			publish(i);
}

u64 walks_read(const u64 *at, u16 *late_by)
{
	const struct late *missed[LATE + 1], *l;
	unsigned n = 0, i, pick;

	for (l = model.isa.late; l < model.isa.late + LATE; l++) {
		if (l->at != at)
			continue;
		for (i = n++; i > 0 && missed[i - 1]->time < l->time; i--)
			missed[i] = missed[i - 1];
		missed[i] = l;
	}
	pick = n ? model_choose(n + 1) : 0; /* so many of the newest are missed */
	*late_by = pick ? missed[pick - 1]->by + 1 : 0;
	return pick ? missed[pick - 1]->old : *at;
}
