/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that invalidate, and what each reaches: exactly the guaranteed minimum on exactly this CPU (rules 5 to 10), and
 * broadcasts, which each CPU carries out at a time of its own until the issuer's TLBSYNC (rules 13 to 17). SDM vol. 3A 4.10.4.1 and
 * vol. 2 (INVLPG, INVPCID, MOV to CR); APM vol. 2 5.5 and vol. 3 (INVLPGB, TLBSYNC). Every one is described by a struct
 * invalidation and done in one place, tlb_invalidate(). Owns model.outstanding.
 */
#include "sim/oracle.h"
#include "sim/x86/x86.h"

static struct model_cpu *self(void)
{
	return &model.cpu[model.current];
}

/* Rule 6; rule 17: with TCE the walk caches on the path only. */
enum fault tlb_invlpg(u64 va)
{
	struct model_cpu *c = self();
	bool broken = model.knobs & KNOB_INVLPG_LEAVES_GLOBALS;

	if (CANONICAL(va))
		tlb_invalidate(c, &(struct invalidation){ .has_va = true,
							  .va = va,
							  .has_tag = true,
							  .tag = isa_tag(c),
							  .globals = !(broken && c->isa.cr4 & MODEL_PCIDE),
							  .walks = c->isa.efer & MODEL_TCE ? WALKS_PATH : WALKS_ALL });
	return NO_FAULT;
}

/* Rule 7. */
enum fault tlb_invpcid(unsigned type, u64 descriptor, u64 va)
{
	struct model_cpu *c = self();
	u16 pcid = descriptor & 0xfff;

	if (!(model.features & HAS_INVPCID))
		return RAISES_UD;
	if (type > 3 || descriptor >> 12 || (type == 0 && !CANONICAL(va)) || (type <= 1 && pcid && !(c->isa.cr4 & MODEL_PCIDE)))
		return RAISES_GP;
	tlb_invalidate(c, &(struct invalidation){ .has_va = type == 0,
						  .va = va,
						  .has_tag = type <= 1,
						  .tag = pcid,
						  .globals = type == 2,
						  .walks = type == 0 ? WALKS_PATH : WALKS_ALL });
	return NO_FAULT;
}

/* Rule 8. With bit 63 nothing goes, so what is there under the PCID had better be of this root. */
enum fault tlb_write_cr3(u64 value)
{
	struct model_cpu *c = self();
	bool keep = value & MODEL_NOFLUSH;
	bool filtered = model.knobs & KNOB_FLUSH_FILTER && value == c->isa.cr3 && !c->isa.wrote_table;

	if ((keep && !(c->isa.cr4 & MODEL_PCIDE)) || (value & ~MODEL_NOFLUSH) >> 52)
		return RAISES_GP;
	c->isa.cr3 = value & ~MODEL_NOFLUSH;
	c->isa.wrote_table = false;
	if (filtered)
		return NO_FAULT;
	c->isa.root_gen = oracle_frame_gen(c->isa.cr3 & PTE_ADDR);
	if (keep && stale_set_other_root(c, isa_tag(c), c->isa.cr3 & PTE_ADDR) && oracle_on("I-TAG"))
		violation("I-TAG",
			  "CPU %u loads root 0x%llx under PCID %u, which may hold entries of another root, and keeps them",
			  model.current, (llu)(c->isa.cr3 & PTE_ADDR), isa_tag(c));
	if (!keep)
		tlb_invalidate(c, &(struct invalidation){ .has_tag = true, .tag = isa_tag(c), .walks = WALKS_ALL });
	stale_set_loaded(c, isa_tag(c), c->isa.cr3 & PTE_ADDR, !keep);
	return NO_FAULT;
}

/* Rules 5 and 9. */
enum fault tlb_write_cr4(u64 value)
{
	struct model_cpu *c = self();
	u64 set = value & ~c->isa.cr4, cleared = c->isa.cr4 & ~value;
	u16 pcid = isa_tag(c);

	if ((set & MODEL_PCIDE) && (!(model.features & HAS_PCID) || (c->isa.cr3 & 0xfff)))
		return RAISES_GP;
	c->isa.cr4 = value;
	if ((((set | cleared) & MODEL_PGE) && !(model.knobs & KNOB_PGE_KEEPS)) || (cleared & MODEL_PCIDE))
		tlb_invalidate(c, &(struct invalidation){ .globals = true, .walks = WALKS_ALL });
	else if (set & MODEL_SMEP)
		tlb_invalidate(c, &(struct invalidation){ .has_tag = true, .tag = pcid, .walks = WALKS_ALL });
	/* From here on what is loaded is under another PCID. */
	if (cleared & MODEL_PCIDE)
		stale_set_loaded(c, 0, c->isa.cr3 & PTE_ADDR, true);
	return NO_FAULT;
}

enum fault tlb_write_efer(u64 value)
{
	if ((value & MODEL_TCE) && !(model.features & HAS_TCE))
		return RAISES_GP;
	self()->isa.efer = value;
	return NO_FAULT;
}

/* --- broadcast --- */

void tlb_complete(unsigned index)
{
	struct outstanding o = model.outstanding[index];
	struct model_cpu *c = &model.cpu[o.target];

	model.outstanding[index] = model.outstanding[--model.nr_outstanding];
	if (model.knobs & KNOB_INVLPGB_DEAF && o.target == model.nr_cpus - 1)
		return;
	/* Rule 17: it is not said whose TCE counts, so either's keeps the walk caches off the path. */
	if (o.what.walks == WALKS_ALL && o.what.has_va && (c->isa.efer & MODEL_TCE))
		o.what.walks = WALKS_PATH;
	tlb_invalidate(c, &o.what);
}

/* Every CPU, this one included, owes it from now on. */
static void broadcast(const struct invalidation *what)
{
	unsigned cpu;

	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		if (model.nr_outstanding == OUTSTANDING)
			tlb_complete(0); /* the model's limit */
		model.outstanding[model.nr_outstanding++] = (struct outstanding){ (u16)model.current, (u16)cpu, 0, *what };
	}
}

#define VALID_VA 1
#define VALID_PCID 2
#define VALID_ASID 4
#define WITH_GLOBALS 8
#define FINAL_ONLY 16
#define RESERVED_RAX 0xfc0
#define RESERVED_ECX 0x7fff0000
#define STRIDE_2M (1u << 31)
#define RESERVED_EDX 0xf0000000

/* Rules 13 to 15. Weakly ordered: a store that is still in this CPU's buffer stays there. */
enum fault tlb_invlpgb(u64 rax, u32 ecx, u32 edx)
{
	struct model_cpu *c = self();
	unsigned extra = rax & VALID_VA ? ecx & 0xffff : 0, i;
	u64 stride = 1ull << (ecx & STRIDE_2M ? 21 : 12);
	struct invalidation what = {
		.has_va = rax & VALID_VA, .has_tag = rax & VALID_PCID, .tag = edx >> 16 & 0xfff, .globals = rax & WITH_GLOBALS
	};

	if (!(model.features & HAS_INVLPGB))
		return RAISES_UD;
	if ((ecx & 0xffff) > model.isa.invlpgb_max || (rax & RESERVED_RAX) || (ecx & RESERVED_ECX) || (edx & RESERVED_EDX) ||
	    (what.tag && !(c->isa.cr4 & MODEL_PCIDE)))
		return RAISES_GP;
	if ((rax & VALID_ASID) && (edx & 0xffff))
		return NO_FAULT; /* a guest's entries: there are none */
	what.walks = rax & FINAL_ONLY ? WALKS_NONE : what.has_va && (c->isa.efer & MODEL_TCE) ? WALKS_PATH : WALKS_ALL;
	for (i = 0; i <= extra; i++) {
		what.va = (rax & ~0xfffull) + i * stride;
		broadcast(&what);
	}
	return NO_FAULT;
}

/* Rules 15, 16: only what this CPU issued is waited for. */
enum fault tlb_tlbsync(void)
{
	unsigned i;

	if (!(model.features & HAS_INVLPGB))
		return RAISES_UD;
	for (i = model.knobs & KNOB_TLBSYNC_EARLY ? 0 : model.nr_outstanding; i-- > 0;)
		if (model.outstanding[i].issuer == model.current)
			tlb_complete(i);
	return NO_FAULT;
}
