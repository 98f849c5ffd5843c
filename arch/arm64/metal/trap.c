/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exceptions: recovered from (recover.S), passed on (page faults), or fatal with a report. No state. (Arm ARM D1.3, D19.2.38
 * ESR_EL1)
 */
#include "arch/access.h"
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/tlb.h"
#include "arch/upcall.h"
#include "lib/printf.h"
#include "machine.h"

#define KIND_SYNC 4 /* vectors, as entry.S numbers them */
#define KIND_OVERFLOW 16

#define ESR_CLASS(esr) ((esr) >> 26 & 0x3f)
#define CLASS_UNKNOWN 0 /* undefined instruction */
#define CLASS_FETCH 0x21
#define CLASS_DATA 0x25
#define ESR_WRITE (1 << 6)
#define ESR_FAULT(esr) ((esr) >> 2 & 0xf) /* without the level */
#define FAULT_TRANSLATION 1
#define FAULT_ACCESS_FLAG 2
#define FAULT_PERMISSION 3

struct trap_frame { /* as entry.S stores it */
	u64 x[31], sp, pc, pstate;
};
_Static_assert(sizeof(struct trap_frame) == FRAME_BYTES, "entry.S");

struct recovery {
	u64 insn, go_on;
};

extern const struct recovery recover_table[], recover_table_end[];

void trap(struct trap_frame *f, unsigned kind, u64 esr); /* called by entry.S */
struct access recover_load_user(struct va va), recover_load_kernel(struct va va);
struct access recover_store_user(struct va va, u64 value), recover_store_kernel(struct va va, u64 value);

static const char *name_of(unsigned kind, u64 esr)
{
	static const char *const names[64] = {
		[0] = "undefined instruction", [1] = "WFI or WFE trapped",   [7] = "FP or SIMD",      [0xe] = "illegal state",
		[0x15] = "SVC",		       [0x16] = "HVC",		     [0x17] = "SMC",	      [0x18] = "system register",
		[0x21] = "instruction abort",  [0x22] = "PC alignment",	     [0x25] = "data abort",   [0x26] = "SP alignment",
		[0x2f] = "SError",	       [0x31] = "breakpoint",	     [0x33] = "software step", [0x3c] = "BRK",
	};

	if (kind == KIND_OVERFLOW)
		return "stack overflow";
	if (kind != KIND_SYNC)
		return kind % 4 == 2 ? "FIQ" : kind % 4 == 3 ? "SError" : "exception from where nobody runs";
	return names[ESR_CLASS(esr)] ? names[ESR_CLASS(esr)] : "exception";
}

static _Noreturn void fatal(const struct trap_frame *f, unsigned kind, u64 esr)
{
	char what[128], report[1200];
	size_t n = 0;

#define X(r) ((unsigned long long)(r))
	ksnprintf(what, sizeof(what), "%s at pc 0x%llx, esr 0x%llx", name_of(kind, esr), X(f->pc), X(esr));
	if (ESR_CLASS(esr) == CLASS_DATA || ESR_CLASS(esr) == CLASS_FETCH)
		ksnprintf_append(what, sizeof(what), ", address 0x%llx", X(read_far()));
	n = ksnprintf(report, sizeof(report),
		      "pc    %016llx  sp    %016llx  pstate %016llx  esr   %016llx\n"
		      "far   %016llx  ttbr0 %016llx  ttbr1  %016llx  sctlr %016llx\n",
		      X(f->pc), X(f->sp), X(f->pstate), X(esr), X(read_far()), X(read_ttbr0()), X(read_ttbr1()), X(read_sctlr()));
	for (unsigned i = 0; i < 31 && n < sizeof(report); i++)
		n += ksnprintf(report + n, sizeof(report) - n, "x%-4u %016llx%s", i, X(f->x[i]),
			       i % 4 == 3 || i == 30 ? "\n" : "  ");
#undef X
	upcall_fatal(what, report);
}

static const struct recovery *recovery_at(u64 pc)
{
	for (const struct recovery *r = recover_table; r < recover_table_end; r++) {
		if (r->insn == pc)
			return r;
	}
	return NULL;
}

/*
 * A fault invalidates nothing (unlike x86's): an entry that is cached with fewer rights than the table gives by now would fault for
 * ever. So what a permission fault found repaired is flushed, here.
 */
static void page_fault(struct trap_frame *f, const struct recovery *r, u64 esr)
{
	struct va va = VA(read_far()); /* first: another fault overwrites it */
	unsigned access = (ESR_CLASS(esr) == CLASS_FETCH ? FAULT_EXEC : 0) | (esr & ESR_WRITE ? FAULT_WRITE : 0);
	bool repaired;

	irq_restore(!(f->pstate & PSTATE_I));
	repaired = upcall_page_fault(va, access);
	mask_irqs();
	if (!repaired)
		f->pc = r->go_on;
	else if (ESR_FAULT(esr) == FAULT_PERMISSION)
		tlb_flush_kernel_range(va, 1, PAGE_SHIFT, false); /* by VAAE1: a user's entry as well, whatever is loaded by now */
}

static bool is_page_fault(u64 esr)
{
	unsigned fault = ESR_FAULT(esr);

	return (ESR_CLASS(esr) == CLASS_DATA || ESR_CLASS(esr) == CLASS_FETCH) && !(esr & 0x30) &&
	       (fault == FAULT_TRANSLATION || fault == FAULT_ACCESS_FLAG || fault == FAULT_PERMISSION);
}

void trap(struct trap_frame *f, unsigned kind, u64 esr)
{
	const struct recovery *r = kind == KIND_SYNC ? recovery_at(f->pc) : NULL;

	if (!r || (!is_page_fault(esr) && ESR_CLASS(esr) != CLASS_UNKNOWN))
		fatal(f, kind, esr);
	if (is_page_fault(esr))
		page_fault(f, r, esr);
	else
		f->pc = r->go_on;
}

/* The upper half is the kernel's; below, accesses have the rights of EL0. */
static bool is_kernel(struct va va)
{
	return va.raw >> 63;
}

struct access va_load(struct va va)
{
	return is_kernel(va) ? recover_load_kernel(va) : recover_load_user(va);
}

struct access va_store(struct va va, u64 value)
{
	return is_kernel(va) ? recover_store_kernel(va, value) : recover_store_user(va, value);
}
