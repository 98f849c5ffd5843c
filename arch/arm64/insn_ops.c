/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that benchmark "insn" measures. Each is run with interrupts off on KMM, whose translations come back by
 * themselves. TLBIs are issued with the DSB that waits for them; what one alone costs says little. Owns no state.
 */
#include "arch/arm64/insn.h"
#include "arch/irq.h"
#include "arch/tlb.h"
#include "bench.h"
#include "machine.h"

/* What .run of entry `sym` does: `statement` n times, after `declaration`, which may be empty. */
#define RUN(sym, declaration, statement)  \
	static void run_##sym(unsigned n) \
	{                                 \
		declaration;              \
		while (n--)               \
			statement;        \
	}

#define USER_PAGE 0x40000000ull /* nothing is mapped there, so nothing is held */
#define AN_ASID 1

RUN(tlbi_vae1, , tlb_flush_range(VA(USER_PAGE), 1, PAGE_SHIFT))
INSN_OP(tlbi_vae1, .name = "tlbi-vae1", .help = "TLBI VAE1 of a page that is not held; DSB NSH; ISB");

RUN(tlbi_vae1_8, , tlb_flush_range(VA(USER_PAGE), 8, PAGE_SHIFT))
INSN_OP(tlbi_vae1_8, .name = "tlbi-vae1-8", .help = "TLBI VAE1 of 8 pages; DSB NSH; ISB");

RUN(tlbi_vaae1, , tlb_flush_kernel_range(VA((u64)&machine & ~(PAGE_SIZE - 1)), 1, PAGE_SHIFT))
INSN_OP(tlbi_vaae1, .name = "tlbi-vaae1", .help = "TLBI VAAE1 of a kernel page that is held; DSB NSH; ISB");

RUN(tlbi_aside1, , tlb_flush_tag(PA(0), (struct tag){ .asid = AN_ASID - 1 }))
INSN_OP(tlbi_aside1, .name = "tlbi-aside1", .help = "TLBI ASIDE1; DSB NSH; ISB");

RUN(tlbi_vmalle1, , tlb_flush_everything())
INSN_OP(tlbi_vmalle1, .name = "tlbi-vmalle1", .help = "TLBI VMALLE1; DSB NSH; ISB");

static inline void write_root(u64 ttbr)
{
	write_ttbr0(ttbr);
	isb();
}

RUN(ttbr0, u64 ttbr = read_ttbr0(), write_root(ttbr))
INSN_OP(ttbr0, .name = "ttbr0", .help = "write of TTBR0 with what it holds; ISB");

RUN(atomic_add, struct word w = { 0 }, add_full(&w, 1))
INSN_OP(atomic_add, .name = "atomic-add", .help = "add_full() to a word of this CPU");

RUN(atomic_add_shared, , add_full(&machine.bench.shared, 1))
INSN_OP(atomic_add_shared, .name = "atomic-add-shared", .help = "add_full() to one word of all CPUs");

RUN(barrier, , barrier_full())
INSN_OP(barrier, .name = "barrier", .help = "barrier_full(), DMB ISH");

RUN(dsb_ish, , dsb_ish())
INSN_OP(dsb_ish, .name = "dsb-ish", .help = "DSB ISH with nothing under way");

RUN(isb, , isb())
INSN_OP(isb, .name = "isb", .help = "ISB");

/* Taken once interrupts are on again; a parked CPU takes it at once. */
RUN(sgi_self, unsigned cpu = this_cpu()->id, ipi_send_one(IPI_WAKE, cpu))
INSN_OP(sgi_self, .name = "sgi", .help = "DSB ISHST; interrupt command to this CPU; ISB");

RUN(sgi_next, unsigned cpu = (this_cpu()->id + 1) % machine.smp.nr_cpus, ipi_send_one(IPI_WAKE, cpu))
INSN_OP(sgi_next, .name = "sgi-next", .help = "the same to the next CPU");
