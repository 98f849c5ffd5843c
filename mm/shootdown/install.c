/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which strategies this run compares, and putting another one in force at run time. State: machine.shootdown.
 */
#include "arch/tlb.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "mm/shootdown/strategy.h"
#include "mm/switch.h"
#include "option.h"

OPTION(tlb, .kind = OPTION_WORDS, .accepts = "SPEC,...  SPEC = PRESET or TRANSPORT, then +CHOICE[=VALUE]...; all", .def = "all",
       .help = "strategies to run and compare");

PRESET(none, .name = "none", .spec = "none", .compare = true, .order = 0,
       .help = "no remote flush: the floor in benchmarks, wrong by design");
PRESET(ipi, .name = "ipi", .spec = "ipi", .compare = true, .order = 1,
       .help = "one interrupt to each CPU in mm_cpumask, wait for all");
PRESET(lazy, .name = "lazy", .spec = "ipi+lazy", .compare = true, .order = 2,
       .help = "ipi, but lazy CPUs are left out and catch up; freed tables still reach them");
/*
 * Linux 6.1 arch/x86/mm/tlb.c, line by line:
 *  - slots: TLB_NR_DYN_ASIDS tags per CPU with ctx_id and tlb_gen, choose_new_asid(); here one tag while PCID is not in use
 *  - exact: switch_mm_irqs_off() clears the CPU's bit in the old mm's mm_cpumask and sets it in the new one's. Here the bit is
 *    cleared after the new root is loaded, there before: a difference of some instructions with interrupts off
 *  - lazy: flush_tlb_multi() asks tlb_is_not_lazy() for each CPU unless tables were freed
 *  - overlap: smp_call_function_many_cond() runs the initiator's own flush while the others work
 *  - batch=32: reclaim unmaps SWAP_CLUSTER_MAX pages before try_to_unmap_flush()
 *  - ceiling=33: tlb_single_page_flush_ceiling, in flush_tlb_mm_range() and flush_tlb_kernel_range()
 * Not here: dirty pages, which are flushed before they are written out (try_to_unmap_flush_dirty()); refaults that find the swap
 * cache; page-table isolation. What flushes a CPU is the machine's: CR3 for the loaded tag and INVPCID (where the CPU has it) for
 * everything, as there; invpcid=tags and invpcid=off differ.
 * One more small difference: there SWITCHING is stored after tlb_gen was read (fea4e317f9e7 came later), here before.
 */
PRESET(linux_6_1, .name = "linux-6.1", .spec = "ipi+exact+lazy+overlap+ceiling=33+batch=32", .compare = true, .order = 3,
       .help = "what Linux 6.1 does on x86-64 without INVLPGB");

/*
 * Linux 6.18 arch/x86/mm/tlb.c; what differs from 6.1:
 *  - mask: a bit stays when the CPU goes on to another mm; with the bit set already switch_mm_irqs_off() has an explicit barrier
 *    (83b0177a6c48); SWITCHING is stored before tlb_gen is read (fea4e317f9e7)
 *  - loaded: should_flush_tlb() leaves out CPUs that run another mm, and takes in those between two
 *  - trim: once a second a flush goes to them too, and flush_tlb_func() clears their bits; the first round is a second after the mm
 *    was made
 *  - invlpgb, where the CPU has it: global ASIDs for mms that more than 3 CPUs run, thought of once in a while after a flush by
 *    interrupts; kernel ranges by broadcast; batch-all: arch_tlbbatch_flush() broadcasts once for all tags
 * Not here: a CPU that is not lazy moves to the global ASID when it switches within the mm, here when it is interrupted; kernel
 * ranges are broadcast without the address-valid flag there, with it here (benchmark insn has both); the first look at a new
 * mm's CPUs goes by ticks and process ids, here by milliseconds and ctx_ids; at the end of an mm lazy CPUs keep its root, which
 * stays alive, here they are interrupted to leave it.
 */
#define LINUX_6_18 "+mask+lazy+loaded+trim+overlap+ceiling=33+batch=32"
PRESET(linux_6_18, .name = "linux-6.18", .spec = "invlpgb" LINUX_6_18 "+threshold=3+sampled+batch-all",
       .otherwise = "ipi" LINUX_6_18, .compare = true, .order = 4,
       .help = "what Linux 6.18 does on x86-64; with INVLPGB where it can be used");

PRESET(invlpgb, .name = "invlpgb", .spec = "invlpgb+threshold=0", .compare = true, .order = 5,
       .help = "each mm gets a global ASID by its first flush; broadcasts from then on");

/* Each flush by itself; batches are linux-arm64's. */
PRESET(broadcast, .name = "tlbi-is", .spec = "broadcast+generation+ceiling=511", .compare = true, .order = 6,
       .help = "every flush by broadcast under ASIDs that are the same on every CPU, as Linux on arm64");

/*
 * The series "arm64: tlb: tlbi-local" (Roberts 2025, Cherian 2026), line by line:
 *  - active: mm->context.active_cpu, none, a CPU, or many, written at the switch before TTBR0 is; here a CPU that has flushed an mm
 *    which it doesn't run takes its number back as well
 *  - the flusher reads it after a DSB ISH; there a first look spares that where the answer is many, here pte_publish() is before
 *  - local: DSB NSH, no broadcast. Here by the ceiling too, one address at a time, no range instructions
 * The later change "reset active_cpu on ASID rollover" is tracker active-renewed, here with the exception for freed tables.
 */
PRESET(tlbi_local, .name = "tlbi-local", .spec = "broadcast+generation+active+ceiling=511", .compare = true, .order = 7,
       .help = "tlbi-is, but flushes stay on this CPU while no other one has run the mm (proposed for Linux on arm64)");

/*
 * Linux 6.18 on arm64, arch/arm64/mm/context.c and arch/arm64/include/asm/tlbflush.h, line by line:
 *  - generation: check_and_switch_context(), new_context(), flush_context(); one ASID for an mm on all CPUs. There ASIDs are taken
 *    in pairs with page-table isolation, and can be pinned
 *  - broadcast: flush_tlb_mm(), __flush_tlb_range(): DSB ISHST, TLBI IS, DSB ISH. flush_tlb_kernel_range() too
 *  - final-only: VALE1IS unless tables are freed (last_level)
 *  - ceiling=511: from 512 pages on the whole ASID, where there are no range instructions; with them there up to 2^21 pages are
 *    ranges, here the ceiling is the same
 *  - batch=32: arch_tlbbatch_add_pending() has the TLBI at unmap, arch_tlbbatch_flush() one DSB ISH (43b3dfdd0455); who relies
 *    on another CPU's TLBIs flushes for itself (4b634918384c)
 *  - ttl, where the CPU has FEAT_TTL: the leaf's level goes along, unless tables are freed
 * The repeated TLBI of CPUs with errata is the machine's (repeat_tlbi=), under every strategy.
 * Not here: contiguous entries; hints in flushes of the own CPU. At the end of an mm lazy CPUs are interrupted to leave its
 * root, there they have left it when they went lazy, and the ASID is flushed by broadcast.
 */
#define LINUX_ARM64 "broadcast+generation+final-only+ceiling=511+batch=32"
PRESET(linux_arm64, .name = "linux-arm64", .spec = LINUX_ARM64 "+ttl", .otherwise = LINUX_ARM64, .compare = true,
       .order = 8, .help = "what Linux 6.18 does on arm64: tlbi-is, walk caches spared, one DSB per batch of reclaim");

static bool add_strategy(const char *spec, size_t n, char *error, size_t size)
{
	struct shootdown_state *sd = &machine.shootdown;
	unsigned i;

	if (sd->nr == MAX_STRATEGIES) {
		ksnprintf(error, size, "tlb=: at most %u strategies are accepted", MAX_STRATEGIES);
		return false;
	}
	if (!strategy_compose(&sd->list[sd->nr], spec, n, false, error, size))
		return false;
	for (i = 0; i < sd->nr; i++) {
		if (!strcmp(sd->list[i].name, sd->list[sd->nr].name)) {
			ksnprintf(error, size, "tlb=: %s is there twice", sd->list[i].name);
			return false;
		}
	}
	sd->nr++;
	return true;
}

static bool add_all(char *error, size_t size)
{
	const struct preset *p;
	unsigned order;

	for (order = 0; order < REGISTRY_COUNT(presets); order++)
		REGISTRY_FOR_EACH (p, presets)
			if (p->compare && p->order == order && !preset_missing(p) &&
			    !add_strategy(p->name, strlen(p->name), error, size))
				return false;
	return true;
}

void shootdown_boot(void)
{
	char error[200];

	CHECK(strategy_compose(&machine.shootdown.boot, "ipi", 3, false, error, sizeof(error)));
	machine.shootdown.strategy = &machine.shootdown.boot;
}

bool shootdown_init(char *error, size_t size)
{
	const char *word;
	unsigned i;
	size_t n;

	for (i = 0; option_list_word(&option_tlb, i, &word, &n); i++) {
		if (!word_is(word, n, "all")) {
			if (!add_strategy(word, n, error, size))
				return false;
			continue;
		}
		if (!add_all(error, size))
			return false;
	}
	return true;
}

static void settle_cpu(const void *unused)
{
	(void)unused;
	CHECK(!this_cpu()->batch.nr_mms);
	if (load_relaxed(&this_cpu()->tlb.lazy))
		switch_to_kernel();
	tlb_flush_everything();
}

void strategy_settle(void)
{
	call_on(&machine.smp.online, settle_cpu, NULL);
	CHECK(strategy_now()->completion->drain());
}

static void leave_cpu(const void *unused)
{
	CHECK(!this_cpu()->batch.nr_mms); /* so nothing is owed, and no switch has to wait in here */
	switch_to_kernel();
	settle_cpu(unused);
}

static void enter_cpu(const void *unused)
{
	(void)unused;
	/* Every slot is forgotten; KMM is entered anew under the new tagging. */
	switch_init_cpu();
}

void strategy_install(const struct strategy *s)
{
	CHECK(!load_relaxed(&machine.mm.nr_mms));
	call_on(&machine.smp.online, leave_cpu, NULL);
	CHECK(strategy_now()->completion->drain());
	/* All other CPUs are parked: none reads this before the call below, which orders it. */
	machine.shootdown.strategy = s;
	s->tagging->reset();
	call_on(&machine.smp.online, enter_cpu, NULL);
	counters_zero();
}
