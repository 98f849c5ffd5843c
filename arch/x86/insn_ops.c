/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that benchmark "insn" measures, those this machine lacks included: they are named with what is missing.
 * Each is run with interrupts off on KMM, whose translations come back by themselves. INVLPGB is issued without TLBSYNC where it is
 * not named: that comes after the measured section. Owns no state.
 */
#include "arch/x86/insn.h"
#include "arch/x86/invlpgb.h"
#include "arch/x86/ipi.h"
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

#define PAGES 8 /* of a range */
#define USER_PAGE 0x40000000ull /* nothing is mapped there, so nothing is held */
#define KERNEL_PAGE ((u64)&machine & ~(u64)(PAGE_SIZE - 1)) /* mapped, global */
#define A_PCID 1 /* of the first tag */

static const char *missing_pcid(void)
{
	return machine.arch.pcid ? NULL : "pcid in use";
}

static const char *missing_invpcid(void)
{
	return machine.arch.invpcid ? NULL : "invpcid in use";
}

static const char *missing_invlpgb(void)
{
	return machine.arch.invlpgb_emulated ? "invlpgb that is not emulated" : machine.arch.no_invlpgb ? "invlpgb" : NULL;
}

static const char *missing_invlpgb_range(void)
{
	const char *missing = missing_invlpgb();

	return missing ? missing : machine.arch.invlpgb_max >= PAGES ? NULL : "invlpgb of 8 pages";
}

/* A PCID other than 0 raises #GP without PCIDE. */
static const char *missing_invlpgb_pcid(void)
{
	const char *missing = missing_invlpgb();

	return missing ? missing : missing_pcid();
}

static const char *missing_invlpgb_pcid_range(void)
{
	const char *missing = missing_invlpgb_range();

	return missing ? missing : missing_pcid();
}

static const char *missing_xapic(void)
{
	return machine.arch.x2apic ? "xapic mode" : NULL;
}

static const char *missing_x2apic(void)
{
	return machine.arch.x2apic ? NULL : "x2apic mode";
}

/* --- this CPU's entries --- */

static inline void toggle_pge(u64 cr4)
{
	write_cr4(cr4 & ~(u64)CR4_PGE);
	write_cr4(cr4);
}

RUN(invlpg_global, , invlpg(VA(KERNEL_PAGE)))
INSN_OP(invlpg_global, .name = "invlpg-global", .help = "INVLPG of a global page");

RUN(invlpg_user, , invlpg(VA(USER_PAGE)))
INSN_OP(invlpg_user, .name = "invlpg-user", .help = "INVLPG of a user page that is not held");

RUN(cr3_flush, u64 cr3 = read_cr3(), write_cr3(cr3))
INSN_OP(cr3_flush, .name = "cr3-flush", .help = "MOV to CR3 of the loaded root");

RUN(cr3_keep, u64 cr3 = read_cr3() | CR3_KEEP, write_cr3(cr3))
INSN_OP(cr3_keep, .name = "cr3-keep", .missing = missing_pcid, .help = "the same with the no-flush bit");

RUN(cr4_pge, u64 cr4 = read_cr4(), toggle_pge(cr4))
INSN_OP(cr4_pge, .name = "cr4-pge", .help = "CR4.PGE off and on");

/* Types 0 and 1 of PCID 0 where tags are not in use. */
#define RUN_INVPCID(sym, type, va) RUN(sym, u64 pcid = machine.arch.pcid ? A_PCID : 0, invpcid(type, pcid, VA(va)))

RUN_INVPCID(invpcid_0, INVPCID_PAGE, USER_PAGE)
INSN_OP(invpcid_0, .name = "invpcid-0", .missing = missing_invpcid, .help = "INVPCID, a page of a PCID");

RUN_INVPCID(invpcid_1, INVPCID_TAG, 0)
INSN_OP(invpcid_1, .name = "invpcid-1", .missing = missing_invpcid, .help = "INVPCID, a PCID");

RUN(invpcid_2, , invpcid(INVPCID_ALL, 0, VA(0)))
INSN_OP(invpcid_2, .name = "invpcid-2", .missing = missing_invpcid, .help = "INVPCID, everything");

RUN(invpcid_3, , invpcid(INVPCID_NONGLOBAL, 0, VA(0)))
INSN_OP(invpcid_3, .name = "invpcid-3", .missing = missing_invpcid, .help = "INVPCID, everything but global entries");

/* --- broadcasts; ASID 0, the host's, always valid --- */

#define RUN_INVLPGB(sym, rax, more, pcid) \
	RUN(sym, u32 ecx = more, invlpgb(INVLPGB_ASID | (rax), ecx, (pcid) << INVLPGB_PCID_SHIFT))
#define PAGE_OF_PCID (USER_PAGE | INVLPGB_VA | INVLPGB_PCID)
#define KERNEL_RANGE (KERNEL_PAGE | INVLPGB_VA | INVLPGB_GLOBALS)

RUN_INVLPGB(invlpgb_1, PAGE_OF_PCID, 0, A_PCID)
INSN_OP(invlpgb_1, .name = "invlpgb-1", .missing = missing_invlpgb_pcid, .settle = tlbsync,
	.help = "INVLPGB, a page of a PCID");

RUN_INVLPGB(invlpgb_8, PAGE_OF_PCID, PAGES - 1, A_PCID)
INSN_OP(invlpgb_8, .name = "invlpgb-8", .missing = missing_invlpgb_pcid_range, .settle = tlbsync,
	.help = "INVLPGB, 8 pages of a PCID");

RUN_INVLPGB(invlpgb_max, PAGE_OF_PCID, machine.arch.invlpgb_max - 1, A_PCID)
INSN_OP(invlpgb_max, .name = "invlpgb-max", .missing = missing_invlpgb_pcid, .settle = tlbsync,
	.help = "INVLPGB, as many pages of a PCID as go");

RUN_INVLPGB(invlpgb_final, PAGE_OF_PCID | INVLPGB_FINAL_ONLY, 0, A_PCID)
INSN_OP(invlpgb_final, .name = "invlpgb-final", .missing = missing_invlpgb_pcid, .settle = tlbsync,
	.help = "INVLPGB, a page of a PCID, final translation only");

RUN_INVLPGB(invlpgb_pcid, INVLPGB_PCID, 0, A_PCID)
INSN_OP(invlpgb_pcid, .name = "invlpgb-pcid", .missing = missing_invlpgb_pcid, .settle = tlbsync, .help = "INVLPGB, a PCID");

RUN_INVLPGB(invlpgb_nonglobal, 0, 0, 0)
INSN_OP(invlpgb_nonglobal, .name = "invlpgb-nonglobal", .missing = missing_invlpgb, .settle = tlbsync,
	.help = "INVLPGB, everything but global entries");

RUN_INVLPGB(invlpgb_all, INVLPGB_GLOBALS, 0, 0)
INSN_OP(invlpgb_all, .name = "invlpgb-all", .missing = missing_invlpgb, .settle = tlbsync, .help = "INVLPGB, everything");

RUN_INVLPGB(invlpgb_kernel, KERNEL_RANGE, PAGES - 1, 0)
INSN_OP(invlpgb_kernel, .name = "invlpgb-kernel", .missing = missing_invlpgb_range, .settle = tlbsync,
	.help = "INVLPGB, 8 kernel pages");

/* As Linux flushes kernel ranges: with an address that is not said to be valid. Is it a full flush? */
RUN_INVLPGB(invlpgb_kernel_no_va, KERNEL_RANGE & ~(u64)INVLPGB_VA, PAGES - 1, 0)
INSN_OP(invlpgb_kernel_no_va, .name = "invlpgb-kernel-no-va", .missing = missing_invlpgb_range, .settle = tlbsync,
	.help = "the same without the address-valid flag");

RUN(tlbsync, , tlbsync())
INSN_OP(tlbsync, .name = "tlbsync", .missing = missing_invlpgb, .help = "TLBSYNC with nothing under way");

static inline void invlpgb_and_sync(void)
{
	invlpgb(INVLPGB_ASID | KERNEL_RANGE, 0, 0);
	tlbsync();
}

/* What a broadcasting flush costs at least. */
RUN(invlpgb_tlbsync, , invlpgb_and_sync())
INSN_OP(invlpgb_tlbsync, .name = "invlpgb-tlbsync", .missing = missing_invlpgb, .help = "INVLPGB of a kernel page; TLBSYNC");

/* --- order --- */

RUN(locked_add, struct word w = { 0 }, add_full(&w, 1))
INSN_OP(locked_add, .name = "locked-add", .help = "LOCK ADD to a word of this CPU");

RUN(locked_add_shared, , add_full(&machine.bench.shared, 1))
INSN_OP(locked_add_shared, .name = "locked-add-shared", .help = "LOCK ADD to one word of all CPUs");

RUN(barrier, , barrier_full())
INSN_OP(barrier, .name = "barrier", .help = "barrier_full()");

RUN(mfence, , mfence())
INSN_OP(mfence, .name = "mfence", .help = "MFENCE");

RUN(lfence, , lfence())
INSN_OP(lfence, .name = "lfence", .help = "LFENCE");

/* --- interrupt commands, with a vector whose handler does nothing but end it --- */

/* Taken once interrupts are on again; a parked CPU takes it at once. */
#define RUN_ICR(sym, further)                                                                     \
	RUN(sym, u32 hw_id = machine.arch.hw_id[(this_cpu()->id + further) % machine.smp.nr_cpus], \
	    apic_icr(hw_id, ICR_FIXED | VECTOR_WAKE))

RUN_ICR(icr_xapic, 0)
INSN_OP(icr_xapic, .name = "icr-xapic", .missing = missing_xapic, .help = "xAPIC interrupt command to this CPU");

RUN_ICR(icr_xapic_next, 1)
INSN_OP(icr_xapic_next, .name = "icr-xapic-next", .missing = missing_xapic, .help = "xAPIC interrupt command to the next CPU");

RUN_ICR(icr_x2apic, 0)
INSN_OP(icr_x2apic, .name = "icr-x2apic", .missing = missing_x2apic, .help = "x2APIC interrupt command to this CPU");

RUN_ICR(icr_x2apic_next, 1)
INSN_OP(icr_x2apic_next, .name = "icr-x2apic-next", .missing = missing_x2apic,
	.help = "x2APIC interrupt command to the next CPU");
