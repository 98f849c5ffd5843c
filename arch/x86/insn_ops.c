/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that benchmark "insn" measures, those this machine lacks included: they are named with what is missing.
 * Each is run with interrupts off on KMM, whose translations come back by themselves. Owns no state but a word on the
 * stack.
 */
#include "arch/tlb.h"
#include "arch/x86/insn.h"
#include "arch/x86/ipi.h"
#include "bench.h"
#include "machine.h"

/* Kernel addresses that are mapped, so that every INVLPG finds an entry's place to look at. */
static void run_invlpg(unsigned n)
{
	while (n--)
		invlpg(VA(&machine));
}

static void run_cr3(unsigned n)
{
	u64 root = read_cr3();

	while (n--)
		write_cr3(root);
}

static void run_everything(unsigned n)
{
	while (n--)
		tlb_flush_everything();
}

static void run_locked_add(unsigned n)
{
	struct word w = { 0 };

	while (n--)
		add_full(&w, 1);
}

static void run_barrier(unsigned n)
{
	while (n--)
		barrier_full();
}

static void run_mfence(unsigned n)
{
	while (n--)
		mfence();
}

/* To this CPU itself, with a vector whose handler does nothing but end it; it is taken once interrupts are on again. */
static void run_icr(unsigned n)
{
	while (n--)
		apic_icr(machine.arch.hw_id[this_cpu()->id], ICR_FIXED | VECTOR_WAKE);
}

static const char *missing_invpcid(void)
{
	return cpuid(0, 0).eax >= 7 && cpuid(7, 0).ebx & 1 << 10 ? NULL : "invpcid";
}

static const char *missing_invlpgb(void)
{
	return cpuid(0x80000000, 0).eax >= 0x80000008 && cpuid(0x80000008, 0).ebx & 1 << 3 ? NULL : "invlpgb";
}

/* All entries of all PCIDs, global ones included. */
static void run_invpcid(unsigned n)
{
	while (n--)
		invpcid(2, 0, VA(0));
}

/* An ASID-less broadcast of one kernel page and its completion: what a broadcasting flush costs at least. */
static void run_invlpgb(unsigned n)
{
	while (n--) {
		invlpgb(((u64)&machine & ~(u64)(PAGE_SIZE - 1)) | 9, 0, 0); /* address valid, global entries too */
		tlbsync();
	}
}

INSN_OP(invlpg, .name = "invlpg", .help = "one global page", .run = run_invlpg);
INSN_OP(cr3_write, .name = "cr3-write", .help = "MOV to CR3 of the loaded root", .run = run_cr3);
INSN_OP(cr4_pge, .name = "cr4-pge", .help = "CR4.PGE off and on", .run = run_everything);
INSN_OP(locked_add, .name = "locked-add", .help = "LOCK ADD to a word of this CPU", .run = run_locked_add);
INSN_OP(barrier, .name = "barrier", .help = "barrier_full()", .run = run_barrier);
INSN_OP(mfence, .name = "mfence", .help = "MFENCE", .run = run_mfence);
INSN_OP(icr_write, .name = "icr-write", .help = "interrupt command to this CPU", .run = run_icr);
INSN_OP(invpcid, .name = "invpcid", .help = "INVPCID, all contexts", .missing = missing_invpcid, .run = run_invpcid);
INSN_OP(invlpgb, .name = "invlpgb", .help = "INVLPGB of a page; TLBSYNC", .missing = missing_invlpgb, .run = run_invlpgb);
