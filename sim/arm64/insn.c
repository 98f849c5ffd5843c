/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The primitives of arm64: accesses to shared words and instructions, each one step. What they order is in memory.c. System
 * register writes that send interrupts, and device stores, are in no order with memory: a DSB is for that (rule 24; IHI 0069
 * ICC_SGI1R_EL1). TLBI orders nothing.
 */
#include <machine/instructions.h>
#include <machine/primitives.h>

#include "sim/arm64/arm64.h"
#include "sim/oracle.h"
#include "sim/sched.h"

static struct model_cpu *self(void)
{
	return &model.cpu[model.current];
}

static void touch_word(const u64 *at)
{
	if ((const u8 *)at >= ARENA && (const u8 *)at < ARENA + ARENA_BYTES)
		arena_touch((u64)((const u8 *)at - ARENA));
}

u64 sim_load(const u64 *at)
{
	model_step("load", (u64)at, 0);
	return memory_load(at, false);
}

u64 sim_load_acquire(const u64 *at)
{
	model_step("load-acquire", (u64)at, 0);
	return memory_load(at, true);
}

static void store(u64 *at, u64 value, bool release)
{
	touch_word(at);
	if (!sched_on) {
		*at = value;
		return;
	}
	model_step(release ? "store-release" : "store", (u64)at, value);
	memory_store(at, value, release);
}

void sim_store(u64 *at, u64 value)
{
	store(at, value, false);
}

void sim_store_release(u64 *at, u64 value)
{
	store(at, value, true);
}

#define UPDATE(name, after, result)                 \
	u64 name(u64 *at, u64 operand)              \
	{                                           \
		u64 old;                            \
                                                    \
		touch_word(at);                     \
		model_step(&#name[4], (u64)at, operand); \
		old = memory_update_begin(at);      \
		memory_update_end(at, after);       \
		return result;                      \
	}

UPDATE(sim_add, old + operand, old + operand)
UPDATE(sim_or, old | operand, old)
UPDATE(sim_and, old & operand, old)
UPDATE(sim_xchg, operand, old)

bool sim_cas(u64 *at, u64 expected, u64 value)
{
	touch_word(at);
	model_step("cas", (u64)at, expected);
	if (!memory_compare(at, expected))
		return false;
	memory_update_end(at, value);
	return true;
}

bool sim_cas_relaxed(u64 *at, u64 expected, u64 value)
{
	touch_word(at);
	model_step("cas relaxed", (u64)at, expected);
	return memory_compare_relaxed(at, expected, value);
}

void sim_fence(void)
{
	model_step("dmb ish", 0, 0);
	memory_dmb();
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

void sim_tlbi(enum tlbi_op op, u64 operand)
{
	model_step("tlbi", op, operand);
	tlbi_issue(op, operand);
}

void sim_dsb(enum dsb kind)
{
	model_step("dsb", kind, 0);
	memory_dsb();
	if (!(kind & DSB_STORES))
		tlbi_wait(kind);
}

void sim_isb(void)
{
	model_step("isb", 0, 0);
	memory_synchronize(model.current, false);
	root_synchronize(self());
}

u64 sim_read_ttbr0(void)
{
	return root_written(self());
}

void sim_write_ttbr0(u64 value)
{
	model_step("msr ttbr0", value, 0);
	root_write(value);
}

bool sim_irqs_masked(void)
{
	return !self()->irq_on;
}

void sim_mask_irqs(void)
{
	if (self()->irq_on)
		self()->irq_off_at = model.step;
	self()->irq_on = false;
}

void sim_unmask_irqs(void)
{
	if (sched_on)
		oracle_interruptible();
	self()->irq_on = true;
	model_step("unmask", 0, 0);
}

/* 16 CPUs are a cluster here: affinity 1 is its number. */
void sim_sgi1r(u64 value)
{
	unsigned id = value >> 24 & 15, cluster = value >> 16 & 0xff, i;

	model_step("sgi", id, value & 0xffff);
	for (i = 0; i < 16; i++)
		if (value >> i & 1 && cluster * 16 + i < model.nr_cpus)
			sched_send(cluster * 16 + i, id);
}

#define GICD_SGIR 0xf00

void sim_mmio_write(u64 va, u32 value)
{
	unsigned i;

	model_step("device store", va, value);
	if ((va & (PAGE - 1)) != GICD_SGIR)
		violation("CHECK", "CPU %u stores to device address 0x%llx, which is not in the model", model.current, (llu)va);
	for (i = 0; i < 8 && i < model.nr_cpus; i++)
		if (value >> (16 + i) & 1)
			sched_send(i, value & 15);
}
