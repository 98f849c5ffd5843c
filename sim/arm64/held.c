/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Knob late-store (CVE-2025-10263, Arm erratum 4118414): a store that has been translated waits, at most one of each CPU, and the
 * DSB after the TLBI that takes the translation away does not wait for it. The next DSB of that issuer does, with another broadcast
 * in between. Barriers of the CPU that stores, its store-releases, read-modify-writes and accesses of the word wait too. Without
 * the knob stores through translations are performed at once. Owns isa_cpu.held.
 */
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"

static struct held *held_of(unsigned cpu)
{
	return &model.cpu[cpu].isa.held;
}

static u64 bit_of(unsigned cpu)
{
	return 1ull << (cpu % 64);
}

void held_perform(unsigned cpu)
{
	struct held h = *held_of(cpu);
	u64 page = h.pa & ~((1ull << h.by.page_shift) - 1);

	if (!h.on)
		return;
	*held_of(cpu) = (struct held){ 0 };
	if ((tlb_frames_gen(&h.by) != h.by.frame_gen || !oracle_frame_is_data(page)) && oracle_on("O-FRAME"))
		violation("O-FRAME", "a store of CPU %u to 0x%llx comes late, to frame 0x%llx, which has been freed since", cpu,
			  (llu)(h.by.page << h.by.shift), (llu)page);
	arena_touch(h.pa);
	*(u64 *)(ARENA + h.pa) = h.value;
	model.seen.drains++;
}

struct model_access held_use(struct model_cpu *c, const struct tlb_entry *e, u64 va, bool store, u64 value)
{
	u64 pa = tlb_translate(e, va), *at = (u64 *)(ARENA + pa), old;
	struct held *h = &c->isa.held;
	struct model_access done;

	if (!(model.knobs & KNOB_LATE_STORE) || pa + 8 > ARENA_BYTES)
		return tlb_use(c, e, va, store, value);
	if (h->on && h->pa == pa)
		held_perform(model.current);
	old = *at;
	done = tlb_use(c, e, va, store, value);
	if (store && !h->on && model_choose(2)) {
		*h = (struct held){ .on = true, .pa = pa, .value = value, .by = *e };
		*at = old;
	}
	return done;
}

void held_met(unsigned cpu, unsigned issuer, const struct invalidation *what)
{
	struct held *h = held_of(cpu);

	if (h->on && cpu != issuer && tlb_reaches(what, &h->by))
		h->met |= bit_of(issuer);
}

void held_waited(unsigned issuer, bool again)
{
	u64 bit = bit_of(issuer);
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		struct held *h = held_of(cpu);

		if (h->passed & bit && again)
			held_perform(cpu);
		else
			h->passed |= h->met & bit;
	}
}
