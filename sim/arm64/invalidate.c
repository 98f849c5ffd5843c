/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TLBI, and the DSB that waits for it: rules 21 to 25. Each CPU that a TLBI reaches carries it out at a time of its own, in any
 * order, until a DSB of the CPU that issued it, of a domain that is wide enough. Exactly the guaranteed minimum: with a wrong hint
 * nothing. (Arm ARM D8.17, and each TLBI's page in C5.5; FEAT_TTL, FEAT_TLBIRANGE.) Owns model.outstanding.
 */
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"

#define GRANULE_4K 1
#define WAITED 0x80 /* in .scope: knob dsb-early has let a DSB pass it */

static u64 sign_extend(u64 value, unsigned bits)
{
	return (u64)((s64)(value << (64 - bits)) >> (64 - bits));
}

/* Rule 22: the level that the leaf is at. False: there is no such level, so nothing is. */
static bool hint(struct invalidation *what, unsigned granule, unsigned level)
{
	if (granule != GRANULE_4K)
		return false;
	if (level) {
		what->leaf_shift = 39 - 9 * level;
		what->walks = WALKS_NONE; /* whether it is right is not known, and who frees tables gives none */
	}
	return true;
}

static bool one_page(struct invalidation *what, u64 operand)
{
	unsigned ttl = operand >> 44 & 15;

	what->va = sign_extend(operand << 12, 56);
	return ttl >> 2 == 0 || (ttl & 3 && hint(what, ttl >> 2, ttl & 3));
}

/* Rule 23. */
static bool range(struct invalidation *what, u64 operand)
{
	unsigned scale = operand >> 44 & 3, num = operand >> 39 & 31;

	what->va = sign_extend(operand << 12, 49);
	what->bytes = (num + 1ull) << (5 * scale + 1) << 12;
	return hint(what, operand >> 46 & 3, operand >> 37 & 3);
}

/* Rule 21. False: nothing needs to be invalidated. */
static bool decode(enum tlbi_op op, u64 operand, struct invalidation *what)
{
	static const struct invalidation forms[] = {
		[TLBI_VA] = { .has_va = true, .has_tag = true, .globals = true, .walks = WALKS_PATH },
		[TLBI_VA_LAST] = { .has_va = true, .has_tag = true, .globals = true, .walks = WALKS_NONE },
		[TLBI_VA_ANY] = { .has_va = true, .globals = true, .walks = WALKS_PATH },
		[TLBI_VA_ANY_LAST] = { .has_va = true, .globals = true, .walks = WALKS_NONE },
		[TLBI_ASID] = { .has_tag = true, .walks = WALKS_ALL },
		[TLBI_ALL] = { .globals = true, .walks = WALKS_ALL },
	};

	*what = forms[op & TLBI_WHAT];
	if (what->has_tag)
		what->tag = (u16)(operand >> 48) & (model.features & HAS_ASID16 ? 0xffff : 0xff);
	return !what->has_va || (op & TLBI_RANGE ? range(what, operand) : one_page(what, operand));
}

/* Knob: the first half of the CPUs is a cluster, the second one another. */
static bool in_reach(enum tlbi_op op, unsigned cpu)
{
	unsigned half = model.nr_cpus / 2;

	if (!(op & TLBI_SCOPE))
		return cpu == model.current;
	return !(model.knobs & KNOB_CLUSTER) || (cpu < half) == (model.current < half);
}

void tlbi_issue(enum tlbi_op op, u64 operand)
{
	struct invalidation what;
	unsigned cpu;

	if (op & TLBI_RANGE && !(model.features & HAS_RANGE))
		violation("#UD", "CPU %u at a TLBI of a range", model.current);
	if (!decode(op, operand, &what))
		return;
	model.cpu[model.current].isa.issued |= (op & TLBI_SCOPE) != 0;
	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		if (!in_reach(op, cpu))
			continue;
		if (model.nr_outstanding == OUTSTANDING)
			tlb_complete(0); /* the model's limit */
		model.outstanding[model.nr_outstanding++] =
			(struct outstanding){ (u16)model.current, (u16)cpu, (u8)((op & TLBI_SCOPE) / TLBI_INNER), what };
	}
}

void tlb_complete(unsigned index)
{
	struct outstanding o = model.outstanding[index];

	model.outstanding[index] = model.outstanding[--model.nr_outstanding];
	o.what.spares_foreign = model.knobs & KNOB_CNP && !(o.scope & ~WAITED);
	tlb_reached(&model.cpu[o.target], &o.what);
	held_met(o.target, o.issuer, &o.what);
}

/* Knob: what was broadcast is waited for only by the second DSB, with another TLBI in between. */
static bool lets_pass(struct outstanding *o, bool again)
{
	if (!(model.knobs & KNOB_DSB_EARLY) || o->target == model.current || (o->scope & WAITED && again))
		return false;
	o->scope |= WAITED;
	return true;
}

/* Rules 24, 25. What others issued is not waited for. */
void tlbi_wait(unsigned scope)
{
	bool again = model.cpu[model.current].isa.issued;
	unsigned i;

	model.cpu[model.current].isa.issued = false;
	for (i = model.nr_outstanding; i-- > 0;) {
		struct outstanding *o = &model.outstanding[i];

		if (o->issuer == model.current && (o->scope & ~WAITED) <= scope && !lets_pass(o, again))
			tlb_complete(i);
	}
	if (scope > TLBI_LOCAL / TLBI_INNER)
		held_waited(model.current, again);
}
