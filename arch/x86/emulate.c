/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Emulated broadcast: emulate.h. What a CPU does for another's INVLPGB is what the manual has it do, or more where there is no
 * instruction for so little; but non-global entries of PCIDs that are not loaded stay at an address with globals (kernel ranges):
 * there are none.
 */
#include "arch/x86/emulate.h"

#include "arch/tlb.h"
#include "arch/upcall.h"
#include "arch/x86/insn.h"
#include "counter.h"
#include "machine.h"

COUNTER(emulated_broadcasts, "INVLPGBs that were emulated");
COUNTER(emulated_syncs, "TLBSYNCs that were emulated");

static struct va first_page(const struct invlpgb *op)
{
	return VA(ALIGN_DOWN(op->rax, PAGE_SIZE));
}

static unsigned shift_of(const struct invlpgb *op)
{
	return op->ecx & INVLPGB_STRIDE_2M ? 21 : 12;
}

/* Entries of a PCID that is not loaded. Soft tags: there are none, the load of another root dropped them. */
static void flush_other_pcid(const struct invlpgb *op)
{
	unsigned pcid = op->edx >> INVLPGB_PCID_SHIFT, i;

	if (!machine.arch.pcid)
		return;
	if (!machine.arch.invpcid)
		tlb_flush_everything();
	else if (op->rax & INVLPGB_VA)
		for (i = 0; i <= (op->ecx & INVLPGB_COUNT); i++)
			invpcid(INVPCID_PAGE, pcid, va_add(first_page(op), (u64)i << shift_of(op)));
	else
		invpcid(INVPCID_TAG, pcid, VA(0));
}

static unsigned loaded_pcid(void)
{
	return machine.arch.pcid ? read_cr3() & 0xfff : this_cpu()->arch.soft_pcid;
}

static void flush_pages(const struct invlpgb *op)
{
	tlb_flush_range(first_page(op), (op->ecx & INVLPGB_COUNT) + 1, shift_of(op), false);
}

static void do_here(const struct invlpgb *op)
{
	bool one_pcid = op->rax & INVLPGB_PCID, globals = op->rax & INVLPGB_GLOBALS;

	if (op->rax & INVLPGB_ASID && op->edx & INVLPGB_GUEST_ASID)
		return; /* a guest's entries: there are none */
	if (one_pcid && op->edx >> INVLPGB_PCID_SHIFT != loaded_pcid() && !globals)
		flush_other_pcid(op);
	else if (op->rax & INVLPGB_VA && (one_pcid || globals || !machine.arch.pcid))
		flush_pages(op); /* INVLPG reaches global entries under every PCID */
	else if (globals || (!one_pcid && machine.arch.pcid))
		tlb_flush_everything();
	else
		write_cr3(read_cr3());
}

static void do_queue(const void *arg)
{
	const struct emulation *e = arg;
	unsigned i;

	if (e->n > EMULATED_QUEUE)
		tlb_flush_everything();
	else
		for (i = 0; i < e->n; i++)
			do_here(&e->queue[i]);
}

const char *emulate_invlpgb(const struct invlpgb *op)
{
	struct emulation *e = &this_cpu()->arch.emulation;
	const char *fault = invlpgb_fault(op, machine.arch.invlpgb_max, machine.arch.pcid || machine.arch.soft_pcid);

	if (fault)
		return fault;
	count(&counter_emulated_broadcasts, 1);
	if (e->n < EMULATED_QUEUE)
		e->queue[e->n] = *op;
	e->n = MIN(e->n + 1, (unsigned)EMULATED_QUEUE + 1);
	return NULL;
}

void emulate_tlbsync(void)
{
	struct emulation *e = &this_cpu()->arch.emulation;

	count(&counter_emulated_syncs, 1);
	if (e->n)
		upcall_call_all(do_queue, e);
	e->n = 0;
}
