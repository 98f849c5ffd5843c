/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that benchmark "insn" measures, those this machine lacks included: they are named with what is missing. Each is
 * run with interrupts off on KMM, whose translations come back by themselves. A TLBI is issued with the DSB that waits for it, and
 * three of them once more without: that DSB comes after the measured section then. No ISB: it has a row of its own. Owns no state.
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/tlbi.h"
#include "arch/irq.h"
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
#define PAGES 8 /* one by one */
#define AN_ASID 1

/* Operands. A range: (7 + 1) << (5 * 1 + 1) = 512 pages, what one table maps. */
#define PAGE tlbi_page(AN_ASID, 0, VA(USER_PAGE))
#define ASID tlbi_asid(AN_ASID)
#define RANGE tlbi_range(AN_ASID, 0, 1, 7, VA(USER_PAGE))
#define KERNEL_PAGE tlbi_page(0, 0, VA((u64)&machine & ~(PAGE_SIZE - 1)))

static const char *missing_os(void)
{
	return machine.arch.tlbi_os ? NULL : "FEAT_TLBIOS";
}

static const char *missing_range(void)
{
	return machine.arch.tlbi_range ? NULL : "FEAT_TLBIRANGE";
}

/* One TLBI and the DSB for its domain; entry `sym` is the instruction's function. */
#define RUN_TLBI(sym, what, dsb) RUN(sym, u64 operand = what, (sym(operand), dsb()))
#define RUN_TLBI_ALL(sym, dsb) RUN(sym, , (sym(), dsb()))

/* --- this CPU --- */

RUN_TLBI(tlbi_vae1, PAGE, dsb_nsh)
INSN_OP(tlbi_vae1, .name = "tlbi-vae1", .help = "TLBI VAE1 of a page that is not held; DSB NSH");

RUN_TLBI(tlbi_vale1, PAGE, dsb_nsh)
INSN_OP(tlbi_vale1, .name = "tlbi-vale1", .help = "TLBI VALE1 of such a page; DSB NSH");

RUN_TLBI(tlbi_aside1, ASID, dsb_nsh)
INSN_OP(tlbi_aside1, .name = "tlbi-aside1", .help = "TLBI ASIDE1; DSB NSH");

RUN_TLBI_ALL(tlbi_vmalle1, dsb_nsh)
INSN_OP(tlbi_vmalle1, .name = "tlbi-vmalle1", .help = "TLBI VMALLE1; DSB NSH");

RUN_TLBI(tlbi_rvae1, RANGE, dsb_nsh)
INSN_OP(tlbi_rvae1, .name = "tlbi-rvae1", .missing = missing_range, .help = "TLBI RVAE1 of 512 pages; DSB NSH");

RUN_TLBI(tlbi_rvale1, RANGE, dsb_nsh)
INSN_OP(tlbi_rvale1, .name = "tlbi-rvale1", .missing = missing_range, .help = "TLBI RVALE1 of 512 pages; DSB NSH");

static inline void tlbi_one_by_one(u64 operand)
{
	for (unsigned i = 0; i < PAGES; i++)
		tlbi_vae1(operand + i);
	dsb_nsh();
}

RUN(tlbi_vae1_8, u64 operand = PAGE, tlbi_one_by_one(operand))
INSN_OP(tlbi_vae1_8, .name = "tlbi-vae1-8", .help = "TLBI VAE1 of 8 pages; DSB NSH");

RUN_TLBI(tlbi_vaae1, KERNEL_PAGE, dsb_nsh)
INSN_OP(tlbi_vaae1, .name = "tlbi-vaae1", .help = "TLBI VAAE1 of a kernel page that is held; DSB NSH");

/* --- every CPU of the inner shareable domain --- */

RUN_TLBI(tlbi_vae1is, PAGE, dsb_ish)
INSN_OP(tlbi_vae1is, .name = "tlbi-vae1is", .help = "TLBI VAE1IS of a page that is not held; DSB ISH");

RUN_TLBI(tlbi_vale1is, PAGE, dsb_ish)
INSN_OP(tlbi_vale1is, .name = "tlbi-vale1is", .help = "TLBI VALE1IS of such a page; DSB ISH");

RUN_TLBI(tlbi_aside1is, ASID, dsb_ish)
INSN_OP(tlbi_aside1is, .name = "tlbi-aside1is", .help = "TLBI ASIDE1IS; DSB ISH");

RUN_TLBI_ALL(tlbi_vmalle1is, dsb_ish)
INSN_OP(tlbi_vmalle1is, .name = "tlbi-vmalle1is", .help = "TLBI VMALLE1IS; DSB ISH");

RUN_TLBI(tlbi_rvae1is, RANGE, dsb_ish)
INSN_OP(tlbi_rvae1is, .name = "tlbi-rvae1is", .missing = missing_range, .help = "TLBI RVAE1IS of 512 pages; DSB ISH");

RUN_TLBI(tlbi_rvale1is, RANGE, dsb_ish)
INSN_OP(tlbi_rvale1is, .name = "tlbi-rvale1is", .missing = missing_range, .help = "TLBI RVALE1IS of 512 pages; DSB ISH");

/* --- the outer shareable one --- */

RUN_TLBI(tlbi_vae1os, PAGE, dsb_sy)
INSN_OP(tlbi_vae1os, .name = "tlbi-vae1os", .missing = missing_os, .help = "TLBI VAE1OS of a page that is not held; DSB SY");

RUN_TLBI(tlbi_vale1os, PAGE, dsb_sy)
INSN_OP(tlbi_vale1os, .name = "tlbi-vale1os", .missing = missing_os, .help = "TLBI VALE1OS of such a page; DSB SY");

RUN_TLBI(tlbi_aside1os, ASID, dsb_sy)
INSN_OP(tlbi_aside1os, .name = "tlbi-aside1os", .missing = missing_os, .help = "TLBI ASIDE1OS; DSB SY");

RUN_TLBI_ALL(tlbi_vmalle1os, dsb_sy)
INSN_OP(tlbi_vmalle1os, .name = "tlbi-vmalle1os", .missing = missing_os, .help = "TLBI VMALLE1OS; DSB SY");

RUN_TLBI(tlbi_rvae1os, RANGE, dsb_sy)
INSN_OP(tlbi_rvae1os, .name = "tlbi-rvae1os", .missing = missing_range, .help = "TLBI RVAE1OS of 512 pages; DSB SY");

RUN_TLBI(tlbi_rvale1os, RANGE, dsb_sy)
INSN_OP(tlbi_rvale1os, .name = "tlbi-rvale1os", .missing = missing_range, .help = "TLBI RVALE1OS of 512 pages; DSB SY");

/* --- without the DSB --- */

RUN(tlbi_vae1_alone, u64 operand = PAGE, tlbi_vae1(operand))
INSN_OP(tlbi_vae1_alone, .name = "tlbi-vae1-alone", .settle = dsb_nsh, .help = "TLBI VAE1 of a page that is not held");

RUN(tlbi_vae1is_alone, u64 operand = PAGE, tlbi_vae1is(operand))
INSN_OP(tlbi_vae1is_alone, .name = "tlbi-vae1is-alone", .settle = dsb_ish, .help = "TLBI VAE1IS of a page that is not held");

RUN(tlbi_vae1os_alone, u64 operand = PAGE, tlbi_vae1os(operand))
INSN_OP(tlbi_vae1os_alone, .name = "tlbi-vae1os-alone", .missing = missing_os, .settle = dsb_sy,
	.help = "TLBI VAE1OS of a page that is not held");

/* --- root, order --- */

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

RUN(dsb_nsh, , dsb_nsh())
INSN_OP(dsb_nsh, .name = "dsb-nsh", .help = "DSB NSH with nothing under way");

RUN(dsb_ish, , dsb_ish())
INSN_OP(dsb_ish, .name = "dsb-ish", .help = "DSB ISH with nothing under way");

RUN(dsb_ishst, , dsb_ishst())
INSN_OP(dsb_ishst, .name = "dsb-ishst", .help = "DSB ISHST with nothing under way");

RUN(dsb_sy, , dsb_sy())
INSN_OP(dsb_sy, .name = "dsb-sy", .help = "DSB SY with nothing under way");

RUN(isb, , isb())
INSN_OP(isb, .name = "isb", .help = "ISB");

/* --- interrupt commands --- */

/* Taken once interrupts are on again; a parked CPU takes it at once. */
RUN(sgi_self, unsigned cpu = this_cpu()->id, ipi_send_one(IPI_WAKE, cpu))
INSN_OP(sgi_self, .name = "sgi", .help = "DSB ISHST; interrupt command to this CPU; ISB");

RUN(sgi_next, unsigned cpu = (this_cpu()->id + 1) % machine.smp.nr_cpus, ipi_send_one(IPI_WAKE, cpu))
INSN_OP(sgi_next, .name = "sgi-next", .help = "the same to the next CPU");
