/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The primitives of x86: accesses to shared words and instructions, each one step. Which of them drain the store buffer: locked
 * operations, MFENCE, and the serialising ones INVLPG, INVPCID, MOV to CR (rule 10). CLI, STI, x2APIC's WRMSR don't (rule 11);
 * xAPIC's ICR is an uncached store and comes after earlier stores. INVLPGB is weakly ordered and drains nothing, TLBSYNC serialises
 * (rule 15). What an instruction raises ends the schedule: the kernel never means it.
 */
#include <machine/instructions.h>
#include <machine/primitives.h>

#include "sim/oracle.h"
#include "sim/sched.h"
#include "sim/x86/x86.h"

#define FLAGS_IF (1u << 9)

static struct model_cpu *self(void)
{
	return &model.cpu[model.current];
}

static void serialise(const char *what, u64 a)
{
	model_step(what, a, 0);
	memory_drain(model.current);
}

static void expect(enum fault fault, const char *what, u64 a)
{
	if (fault)
		violation(fault == RAISES_GP ? "#GP" : "#UD", "CPU %u at %s 0x%llx", model.current, what, (llu)a);
}

static void touch_word(const u64 *at)
{
	u64 pa = (u64)((const u8 *)at - ARENA);

	if ((const u8 *)at < ARENA || pa >= ARENA_BYTES)
		return;
	arena_touch(pa);
	if (model.knobs & KNOB_FLUSH_FILTER && oracle_frame_is_table(pa & ~(u64)(PAGE - 1)))
		self()->isa.wrote_table = true;
}

u64 sim_load(const u64 *at)
{
	model_step("load", (u64)at, 0);
	return memory_own(model.current, at);
}

void sim_store(u64 *at, u64 value)
{
	touch_word(at);
	if (!sched_on) {
		*at = value;
		return;
	}
	model_step("store", (u64)at, value);
	memory_store(at, value);
}

/* TSO: the order that they ask for is there (SDM vol. 3A 9.2). */
u64 sim_load_acquire(const u64 *at)
{
	return sim_load(at);
}

void sim_store_release(u64 *at, u64 value)
{
	sim_store(at, value);
}

#define LOCKED(name, after, result)              \
	u64 name(u64 *at, u64 operand)           \
	{                                        \
		u64 old;                         \
                                                 \
		touch_word(at);                  \
		serialise(&#name[4], (u64)at);       \
		old = *at;                       \
		*at = after;                     \
		return result;                   \
	}

LOCKED(sim_add, old + operand, old + operand)
LOCKED(sim_or, old | operand, old)
LOCKED(sim_and, old & operand, old)
LOCKED(sim_xchg, operand, old)

bool sim_cas(u64 *at, u64 expected, u64 value)
{
	touch_word(at);
	serialise("cas", (u64)at);
	if (*at != expected)
		return false;
	*at = value;
	return true;
}

/* Locked, as any. */
bool sim_cas_relaxed(u64 *at, u64 expected, u64 value)
{
	return sim_cas(at, expected, value);
}

void sim_fence(void)
{
	serialise("fence", 0);
}

void sim_pause(const u64 *at, u64 seen)
{
	model_block(at, seen);
}

u64 sim_clock(void)
{
	return sched.still ? 0 : model.step * 1000;
}

unsigned sim_cpu(void)
{
	return model.current;
}

void sim_invlpg(u64 va)
{
	serialise("invlpg", va);
	expect(tlb_invlpg(va), "invlpg", va);
}

u64 sim_read_cr3(void)
{
	return self()->isa.cr3;
}

void sim_write_cr3(u64 value)
{
	serialise("mov cr3", value);
	expect(tlb_write_cr3(value), "mov cr3", value);
}

u64 sim_read_cr4(void)
{
	return self()->isa.cr4;
}

void sim_write_cr4(u64 value)
{
	serialise("mov cr4", value);
	expect(tlb_write_cr4(value), "mov cr4", value);
}

void sim_invpcid(unsigned type, u64 pcid, u64 va)
{
	serialise("invpcid", type);
	expect(tlb_invpcid(type, pcid, va), "invpcid", type);
}

/* An exception through an interrupt gate, and IRET: both drain (rule 12). */
static bool undefined(bool sync, u64 rax, u32 ecx, u32 edx)
{
	struct model_cpu *c = self();
	bool irq_on = c->irq_on, done;

	isa_exception(model.current);
	c->irq_on = false;
	done = sched_undefined(sync, rax, ecx, edx);
	isa_exception_return(model.current);
	c->irq_on = irq_on;
	return done;
}

void sim_invlpgb(u64 rax, u32 ecx, u32 edx)
{
	enum fault fault;

	model_step("invlpgb", rax, (u64)edx << 32 | ecx);
	fault = tlb_invlpgb(rax, ecx, edx);
	if (fault != RAISES_UD || !undefined(false, rax, ecx, edx))
		expect(fault, "invlpgb", rax);
}

void sim_tlbsync(void)
{
	enum fault fault;

	serialise("tlbsync", 0);
	fault = tlb_tlbsync();
	if (fault != RAISES_UD || !undefined(true, 0, 0, 0))
		expect(fault, "tlbsync", 0);
}

#define MSR_EFER 0xc0000080

static void check_msr(u32 msr)
{
	if (msr != MSR_EFER)
		violation("#GP", "CPU %u: MSR 0x%x is not in the model", model.current, msr);
}

u64 sim_rdmsr(u32 msr)
{
	check_msr(msr);
	return self()->isa.efer;
}

void sim_wrmsr(u32 msr, u64 value)
{
	check_msr(msr);
	serialise("wrmsr efer", value);
	expect(tlb_write_efer(value), "wrmsr efer", value);
}

u64 sim_read_flags(void)
{
	return self()->irq_on ? FLAGS_IF : 0;
}

void sim_cli(void)
{
	/* An interrupt may come between what was before and this. */
	if (self()->irq_on) {
		model_step("cli", 0, 0);
		self()->irq_off_at = model.step;
	}
	self()->irq_on = false;
}

void sim_sti(void)
{
	if (sched_on)
		oracle_interruptible();
	self()->irq_on = true;
	model_step("sti", 0, 0);
}

#define ICR_VECTOR 0xff
#define ICR_MODE 0x700 /* 4: NMI */

static void send(u32 hw_id, u32 command)
{
	if (!(command & ICR_MODE))
		sched_send(hw_id, command & ICR_VECTOR & 31);
}

void sim_xapic_icr(u32 hw_id, u32 command)
{
	serialise("xapic icr", hw_id);
	send(hw_id, command);
}

void sim_x2apic_icr(u32 hw_id, u32 command)
{
	model_step("x2apic icr", hw_id, command);
	send(hw_id, command);
}
