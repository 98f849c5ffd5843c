/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses through the TLB, fills nobody asked for, and the roots that they go by: rules 19, 20, 29, 32. What was written to TTBR0
 * is in use for sure after a context synchronization event (ISB, exceptions); until then each access and walk goes by any of the
 * values since the last one (Arm ARM D8.2, D24.1). Data only; the dirty state is not the hardware's.
 */
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"
#include "sim/sched.h"

#define ASID_SHIFT 48

static u16 asid_of(u64 ttbr)
{
	return (u16)(ttbr >> ASID_SHIFT) & (model.features & HAS_ASID16 ? 0xffff : 0xff);
}

static bool upper(u64 va)
{
	return va >> 63;
}

u16 isa_tag(const struct model_cpu *c)
{
	return asid_of(c->isa.ttbr0[c->isa.use]);
}

u64 isa_root(const struct model_cpu *c, u64 va)
{
	return (upper(va) ? c->isa.ttbr1 : c->isa.ttbr0[c->isa.use]) & PTE_ADDR;
}

u32 isa_root_gen(const struct model_cpu *c, u64 va)
{
	return upper(va) ? c->isa.ttbr1_gen : c->isa.root_gen[c->isa.use];
}

bool isa_common(const struct model_cpu *c, u64 va)
{
	return (upper(va) ? c->isa.ttbr1 : c->isa.ttbr0[c->isa.use]) & TTBR_CNP;
}

/* Rule 27: what no two entries for one address may differ in, beside output address and size. Rights may. */
bool isa_conflict(const struct tlb_entry *a, const struct tlb_entry *b)
{
	return a->global != b->global || ((a->pte ^ b->pte) & (PTE_TYPE | PTE_SHARE | PTE_CONTIGUOUS));
}

/* --- TTBR0 --- */

u64 root_written(const struct model_cpu *c)
{
	return c->isa.ttbr0[c->isa.nr_ttbr0 - 1];
}

/* Rule 29: an ASID that may hold another root's entries had better be flushed. */
void root_write(u64 value)
{
	struct model_cpu *c = &model.cpu[model.current];
	u64 root = value & PTE_ADDR;
	unsigned n = c->isa.nr_ttbr0, i;

	if (n == ROOTS) { /* the model's limit */
		for (i = 1, n--; i < ROOTS; i++) {
			c->isa.ttbr0[i - 1] = c->isa.ttbr0[i];
			c->isa.root_gen[i - 1] = c->isa.root_gen[i];
		}
	}
	c->isa.ttbr0[n] = value;
	c->isa.root_gen[n] = oracle_frame_gen(root);
	c->isa.nr_ttbr0 = n + 1;
	c->isa.use = n;
	if (stale_set_other_root(c, asid_of(value), root) && oracle_on("I-TAG"))
		violation("I-TAG", "CPU %u loads root 0x%llx under ASID %u, which may hold entries of another root", model.current,
			  (llu)root, asid_of(value));
	stale_set_loaded(c, asid_of(value), root, false);
}

void root_synchronize(struct model_cpu *c)
{
	unsigned last = c->isa.nr_ttbr0 - 1;

	c->isa.ttbr0[0] = c->isa.ttbr0[last];
	c->isa.root_gen[0] = c->isa.root_gen[last];
	c->isa.nr_ttbr0 = 1;
	c->isa.use = 0;
}

/* The access or walk at hand goes by one of the values. */
static void choose_root(struct model_cpu *c)
{
	unsigned n = c->isa.nr_ttbr0;

	c->isa.use = n - 1 - (n > 1 ? model_choose(n) : 0);
}

static void end_choice(struct model_cpu *c)
{
	c->isa.use = c->isa.nr_ttbr0 - 1;
}

/* Fills may come back from every root that may be in use. */
void tlb_reached(struct model_cpu *c, const struct invalidation *what)
{
	unsigned i;

	tlb_invalidate(c, what);
	common_invalidate(c, what);
	by_address_invalidate(c, what);
	for (i = 0; i < c->isa.nr_ttbr0; i++)
		stale_set_loaded(c, asid_of(c->isa.ttbr0[i]), c->isa.ttbr0[i] & PTE_ADDR, false);
}

/* --- exceptions --- */

void isa_exception(unsigned cpu)
{
	memory_synchronize(cpu, true);
	root_synchronize(&model.cpu[cpu]);
}

void isa_exception_return(unsigned cpu)
{
	memory_synchronize(cpu, false);
	root_synchronize(&model.cpu[cpu]);
}

/* --- fills and accesses --- */

static bool translated(u64 va)
{
	return va >> 48 == 0 || va >> 48 == 0xffff;
}

/* What another CPU has filled, or by a walk. NULL: nothing that may be cached is there. */
static struct tlb_entry *fill(struct model_cpu *c, u64 va)
{
	struct tlb_entry *e = common_entry(c, va), fresh;

	if (e)
		return e;
	common_walks(c, va);
	return tlb_walk(c, va, &fresh) ? tlb_keep(c, &fresh) : NULL;
}

void tlb_spontaneous(unsigned cpu, u64 va)
{
	struct model_cpu *c = &model.cpu[cpu];
	struct tlb_entry *e;

	choose_root(c);
	if (translated(va) && !tlb_find(c, va) && (e = fill(c, va))) {
		e->speculative = true;
		model.seen.speculative_fills++;
	}
	end_choice(c);
}

/* What faults for its rights is cached all the same. */
static struct tlb_entry *translation(struct model_cpu *c, u64 va)
{
	struct tlb_entry *e = tlb_find(c, va);

	if (!e)
		e = fill(c, va);
	if (e)
		tlb_check_single(c, e, va);
	return e;
}

/* Rule 32: nothing is invalidated. */
static bool fault(u64 va, bool store, bool permission)
{
	bool repaired;

	isa_exception(model.current);
	model.seen.faults++;
	repaired = isa_trap(va, store, permission);
	isa_exception_return(model.current);
	return repaired;
}

struct model_access tlb_access(u64 va, bool store, u64 value)
{
	struct model_cpu *c = &model.cpu[model.current];
	struct model_access done;
	struct tlb_entry *e;

	do {
		model_step(store ? "va store" : "va load", va, value);
		choose_root(c);
		e = translated(va) ? translation(c, va) : NULL;
		if (e && (!store || e->write)) {
			done = held_use(c, e, va, store, value);
			end_choice(c);
			return done;
		}
		end_choice(c);
	} while (translated(va) && fault(va, store, e));
	return (struct model_access){ .fault = true };
}
