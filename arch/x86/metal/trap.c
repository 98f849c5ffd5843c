/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exceptions: recovered from (recover.S), passed on (page faults, NMI), or fatal with a report. State: the IDT in machine.arch,
 * constant once interrupts are on. (SDM vol. 3A 7.10, 7.15)
 */
#include "arch/access.h"
#include "arch/clock.h"
#include "arch/upcall.h"
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "lib/printf.h"
#include "machine.h"

COUNTER(interrupts_stray, "interrupts of a vector that nothing here uses");

#define TRAP_NMI 2
#define TRAP_UD 6
#define TRAP_DF 8
#define TRAP_GP 13
#define TRAP_PF 14
#define TRAP_MC 18

#define PF_WRITE 2
#define PF_RESERVED 8
#define PF_FETCH 16

struct trap_frame { /* as entry.S pushes it, last pushed first */
	u64 r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
	u64 vector, error, rip, cs, rflags, rsp, ss;
};

struct recovery {
	u64 insn, go_on;
};

extern const struct recovery recover_table[], recover_table_end[];
extern char trap_entries[];

void trap(struct trap_frame *f); /* called by entry.S */
struct access recover_load(struct va va);
struct access recover_store(struct va va, u64 value);

void idt_set(unsigned vector, void (*entry)(void), unsigned ist)
{
	u64 address = (u64)entry;

	machine.arch.idt[vector] = (struct idt_gate){
		.offset0 = (u16)address,
		.selector = SELECTOR_CODE,
		.ist = (u8)ist,
		.type = 0x8e, /* present, interrupt gate: interrupts go off */
		.offset1 = (u16)(address >> 16),
		.offset2 = (u32)(address >> 32),
	};
}

void idt_init(void)
{
	for (unsigned i = 0; i < 256; i++)
		idt_set(i, (void (*)(void))(trap_entries + 16 * i), 0);
	idt_set(TRAP_NMI, (void (*)(void))(trap_entries + 16 * TRAP_NMI), 1);
	idt_set(TRAP_DF, (void (*)(void))(trap_entries + 16 * TRAP_DF), 2);
	idt_set(TRAP_MC, (void (*)(void))(trap_entries + 16 * TRAP_MC), 3);
}

static const char *const trap_names[32] = {
	[0] = "#DE divide error",   [1] = "#DB debug",	      [2] = "NMI that nobody sent", [3] = "#BP breakpoint",
	[4] = "#OF overflow",	    [5] = "#BR bound range",  [6] = "#UD invalid opcode",   [7] = "#NM no FPU",
	[8] = "#DF double fault",   [10] = "#TS invalid TSS", [11] = "#NP not present",	    [12] = "#SS stack fault",
	[13] = "#GP protection",    [14] = "#PF page fault",  [16] = "#MF FPU error",	    [17] = "#AC alignment",
	[18] = "#MC machine check", [19] = "#XM SIMD error",  [20] = "#VE virtualization",  [21] = "#CP control protection",
};

/* The page below this CPU's stack was touched: the exception for that finds no stack either, and becomes a double fault. */
static bool stack_overflowed(void)
{
	u64 bottom = this_cpu()->arch.tss.ist[0] - (PAGE_SIZE + IST_BYTES) - STACK_BYTES; /* as stack_top() has them */

	return read_cr2() - (bottom - PAGE_SIZE) < PAGE_SIZE;
}

static _Noreturn void fatal(const struct trap_frame *f)
{
	const char *name = f->vector < 32 && trap_names[f->vector] ? trap_names[f->vector] : "exception";
	char what[128], report[900];

#define X(r) ((unsigned long long)(r))
	ksnprintf(what, sizeof(what), "exception %u (%s) at rip 0x%llx", (unsigned)f->vector, name, X(f->rip));
	if (f->vector == TRAP_PF)
		ksnprintf_append(what, sizeof(what), ", address 0x%llx", X(read_cr2()));
	if (f->vector == TRAP_DF && stack_overflowed())
		ksnprintf_append(what, sizeof(what), ": stack overflow");
	ksnprintf(report, sizeof(report),
		  "error %016llx  cr2    %016llx  cr3    %016llx  cr0    %016llx\n"
		  "rip   %016llx  rsp    %016llx  rflags %016llx  cr4    %016llx\n"
		  "rax   %016llx  rbx    %016llx  rcx    %016llx  rdx    %016llx\n"
		  "rsi   %016llx  rdi    %016llx  rbp    %016llx  r8     %016llx\n"
		  "r9    %016llx  r10    %016llx  r11    %016llx  r12    %016llx\n"
		  "r13   %016llx  r14    %016llx  r15    %016llx  cs %llx ss %llx\n",
		  X(f->error), X(read_cr2()), X(read_cr3()), X(read_cr0()), X(f->rip), X(f->rsp), X(f->rflags), X(read_cr4()),
		  X(f->rax), X(f->rbx), X(f->rcx), X(f->rdx), X(f->rsi), X(f->rdi), X(f->rbp), X(f->r8), X(f->r9), X(f->r10),
		  X(f->r11), X(f->r12), X(f->r13), X(f->r14), X(f->r15), X(f->cs), X(f->ss));
#undef X
	upcall_fatal(what, report);
}

static const struct recovery *recovery_at(u64 rip)
{
	for (const struct recovery *r = recover_table; r < recover_table_end; r++) {
		if (r->insn == rip)
			return r;
	}
	return NULL;
}

static void page_fault(struct trap_frame *f, const struct recovery *r)
{
	struct va va = VA(read_cr2()); /* first: another fault overwrites it */
	unsigned access = (f->error & PF_WRITE ? FAULT_WRITE : 0) | (f->error & PF_FETCH ? FAULT_EXEC : 0);
	bool repaired;

	if (machine.arch.smap)
		clac(); /* an interrupt gate leaves AC as it was; IRETQ brings it back */
	irq_restore(f->rflags & FLAGS_IF);
	repaired = upcall_page_fault(va, access);
	cli();
	if (!repaired)
		f->rip = r->go_on;
}

/* True if somebody sent it with ipi_send(). One NMI can stand for two: a count left over is harmless. */
static bool nmi_was_asked(void)
{
	struct word *asked = &this_cpu()->arch.snapshots_asked;
	u64 n = load_relaxed(asked);

	while (n && !cas_full(asked, n, n - 1))
		n = load_relaxed(asked);
	return n;
}

/* True: it was INVLPGB or TLBSYNC, and is done. Operands that the manual has raise #GP do that here. */
static bool emulated(struct trap_frame *f)
{
	const u8 *opcode = (const u8 *)f->rip;
	struct emulated *so_far = &this_cpu()->arch.emulation.so_far;
	struct invlpgb op = { f->rax, (u32)f->rcx, (u32)f->rdx };
	u64 begin = clock_now();

	if (!machine.arch.invlpgb_emulated || opcode[0] != 0x0f || opcode[1] != 0x01 || opcode[2] < 0xfe)
		return false;
	if (opcode[2] == 0xff) {
		emulate_tlbsync();
	} else if (emulate_invlpgb(&op)) {
		f->vector = TRAP_GP;
		return false;
	}
	f->rip += 3;
	so_far->n++;
	so_far->ticks += clock_now() - begin;
	return true;
}

void trap(struct trap_frame *f)
{
	const struct recovery *r;

	if (f->vector >= 32) {
		count(&counter_interrupts_stray, 1);
		apic_eoi();
		return;
	}
	if (f->vector == TRAP_NMI && nmi_was_asked()) {
		upcall_snapshot(f->rip, f->rflags & FLAGS_IF);
		return;
	}
	if (f->vector == TRAP_UD && emulated(f))
		return;
	r = f->vector == TRAP_NMI || f->vector == TRAP_DF || f->vector == TRAP_MC ? NULL : recovery_at(f->rip);
	/* A reserved bit in an entry is a fault that doing it again won't mend, whatever rights the entry gives. */
	if (!r || (f->vector == TRAP_PF && f->error & PF_RESERVED))
		fatal(f);
	if (f->vector == TRAP_PF)
		page_fault(f, r);
	else
		f->rip = r->go_on;
}

struct access va_load(struct va va)
{
	struct access a;

	if (machine.arch.smap)
		stac();
	a = recover_load(va);
	if (machine.arch.smap)
		clac();
	return a;
}

struct access va_store(struct va va, u64 value)
{
	struct access a;

	if (machine.arch.smap)
		stac();
	a = recover_store(va, value);
	if (machine.arch.smap)
		clac();
	return a;
}
