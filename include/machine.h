/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All mutable state of the kernel, so that it can be reset, copied and held many times. Made of the floors' own structs;
 * each floor touches its own part only. The only objects outside are stacks and boot tables of arch/<isa>/metal.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <machine/state.h> /* struct arch_cpu, struct arch_state */

#include "arch/percpu.h"
#include "bench/state.h"
#include "boot/state.h"
#include "counter.h"
#include "lib/boot_memory.h"
#include "lib/record.h"
#include "mm/asid/generation.h"
#include "mm/asid/global.h"
#include "mm/batch.h"
#include "mm/frame.h"
#include "mm/mm.h"
#include "mm/shootdown/strategy.h"
#include "mm/switch.h"
#include "option.h"
#include "smp/smp.h"
#include "task/worker.h"

struct cpu {
	unsigned id; /* logical number */
	struct arch_cpu arch;
	struct tlb_state tlb;
	struct flight flight;
	struct frame_cache frames;
	struct frame_list quarantine; /* completion "quarantine" */
	struct batch_state batch; /* choice "batch" */
	struct smp_cpu smp;
	struct worker worker;
	struct counter_slot counter[MAX_COUNTERS] __attribute__((aligned(CACHE_LINE)));
} __attribute__((aligned(CACHE_LINE)));

struct machine {
	struct boot_state boot;
	struct boot_memory boot_memory;
	struct options_state options;
	struct records_state records;
	struct smp_state smp;
	struct {
		struct frames_state frames;
		struct mm kernel; /* KMM */
		struct word next_ctx_id;
		struct word nr_mms; /* alive, KMM not counted */
	} mm;
	struct asids_state asids; /* tagging "global" */
	struct generations_state generations; /* tagging "generation" */
	struct shootdown_state shootdown;
	struct bench_state bench;
	struct arch_state arch;
	struct cpu cpu[MAX_CPUS];
};

extern struct machine machine;

static inline const struct strategy *strategy_now(void)
{
	return machine.shootdown.strategy;
}

static inline unsigned cpumask_words(void)
{
	return (machine.smp.nr_cpus + 63) / 64;
}

static inline void count(const struct counter *c, u64 n)
{
	/* Slots are as far apart as registry entries, so no division by an entry's size: three instructions on x86. */
	u64 offset = (const char *)c - (const char *)__start_counters;

	add_owner(&((struct counter_slot *)((char *)this_cpu()->counter + offset))->n, n);
}

#endif
