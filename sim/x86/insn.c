/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The primitives of x86: accesses to shared words and instructions, each one step. Which of them drain the store buffer: locked
 * operations, MFENCE, and the serialising ones INVLPG, INVPCID, MOV to CR (rule 10). CLI, STI, x2APIC's WRMSR don't (rule 11); xAPIC's ICR
 * is an uncached store and comes after earlier stores.
 */
#include <machine/primitives.h>

#include "sim/sched.h"

#define FLAGS_IF (1u << 9)

void sim_invlpg(u64 va);
u64 sim_read_cr3(void);
void sim_write_cr3(u64 value);
u64 sim_read_cr4(void);
void sim_write_cr4(u64 value);
void sim_invpcid_all(void);
u64 sim_read_flags(void);
void sim_cli(void);
void sim_sti(void);
void sim_xapic_icr(u32 hw_id, u32 command);
void sim_x2apic_icr(u32 hw_id, u32 command);

static struct model_cpu *self(void)
{
	return &model.cpu[model.current];
}

static void serialise(const char *what, u64 a)
{
	model_step(what, a, 0);
	memory_drain(model.current);
}

static void touch_word(const u64 *at)
{
	if ((const u8 *)at >= ARENA && (const u8 *)at < ARENA + ARENA_BYTES)
		arena_touch((u64)((const u8 *)at - ARENA));
}

u64 sim_load(const u64 *at)
{
	model_step("load", (u64)at, 0);
	return memory_load(at);
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

#define LOCKED(name, after, result)              \
	u64 name(u64 *at, u64 operand)           \
	{                                        \
		u64 old;                         \
                                                 \
		touch_word(at);                  \
		serialise(#name, (u64)at);       \
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
	serialise("sim_cas", (u64)at);
	if (*at != expected)
		return false;
	*at = value;
	return true;
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
	return model.step * 1000;
}

unsigned sim_cpu(void)
{
	return model.current;
}

void sim_invlpg(u64 va)
{
	serialise("invlpg", va);
	tlb_invlpg(va);
}

u64 sim_read_cr3(void)
{
	return self()->cr3;
}

void sim_write_cr3(u64 value)
{
	serialise("mov cr3", value);
	tlb_write_cr3(value);
}

u64 sim_read_cr4(void)
{
	return self()->cr4;
}

void sim_write_cr4(u64 value)
{
	serialise("mov cr4", value);
	tlb_write_cr4(value);
}

void sim_invpcid_all(void)
{
	serialise("invpcid 2", 0);
	tlb_invpcid(2, 0, 0);
}

u64 sim_read_flags(void)
{
	return self()->irq_on ? FLAGS_IF : 0;
}

void sim_cli(void)
{
	self()->irq_on = false;
}

void sim_sti(void)
{
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
