/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The oracles' eyes in the kernel: what a frame is, what a gather takes away and promises (the kernel's own calls, linked with
 * --wrap), and the invariants of CPUs: I-ROOT, I-LAZY, I-GATHER, and the half of O-DIRTY that looks at entries taken away. Owns
 * `watched`, which is put back for each schedule, and `gathering` of each CPU.
 */
#include <string.h>

#include "arch/upcall.h"
#include "machine.h"
#include "mm/gather.h"
#include "sim/effects.h"
#include "sim/glue.h"
#include "sim/hash.h"
#include "sim/oracle.h"
#include "sim/port.h"

#define FRAMES (ARENA_BYTES / PAGE)
#define NUMBER(pa) ((pa) / PAGE % FRAMES)

struct watched {
	u32 gen; /* how often it was freed */
	u16 queued_by; /* CPU + 1 whose gather holds it */
	bool stored; /* a store reached it through a translation since it was allocated */
	bool gone_clean; /* its translation was taken away with D clear */
};

static struct watched watched[FRAMES], kept[FRAMES];
static bool touched[FRAMES];
static u32 list[FRAMES], nr_touched;
static struct {
	u64 gen_at_open; /* of the mm */
	bool closing;
} gathering[MODEL_CPUS];

static struct watched *watch(u64 pa)
{
	u32 n = (u32)NUMBER(pa);

	if (!touched[n]) {
		touched[n] = true;
		list[nr_touched++] = n;
	}
	return &watched[n];
}

void oracle_keep(void)
{
	for (; nr_touched; nr_touched--) {
		touched[list[nr_touched - 1]] = false;
		kept[list[nr_touched - 1]] = watched[list[nr_touched - 1]];
	}
}

void oracle_restore(void)
{
	for (; nr_touched; nr_touched--) {
		touched[list[nr_touched - 1]] = false;
		watched[list[nr_touched - 1]] = kept[list[nr_touched - 1]];
	}
	memset(gathering, 0, model.nr_cpus * sizeof(gathering[0]));
}

u64 oracle_hash(void)
{
	u64 sum = hash_bytes(gathering, model.nr_cpus * sizeof(gathering[0]), 1);
	u32 i;

	for (i = 0; i < nr_touched; i++)
		if (memcmp(&watched[list[i]], &kept[list[i]], sizeof(*watched)))
			sum += hash_bytes(&watched[list[i]], sizeof(*watched), 2 + list[i]);
	return sum;
}

/* --- frames --- */

u32 oracle_frame_gen(u64 pa)
{
	effects_walked(pa);
	return watched[NUMBER(pa)].gen;
}

static enum frame_state state_of(u64 pa)
{
	u64 number = pa / PAGE - machine.mm.frames.base;

	return number < machine.mm.frames.n ? machine.mm.frames.meta[number].state : FRAME_RESERVED;
}

bool oracle_frame_is_data(u64 pa)
{
	enum frame_state s = state_of(pa);

	return s == FRAME_DATA || s == FRAME_GATHERED || s == FRAME_QUARANTINED;
}

/* A gathered or quarantined table is one still: nobody has reused it. The kernel's own are reserved memory. */
bool oracle_frame_is_table(u64 pa)
{
	enum frame_state s = state_of(pa);

	return s == FRAME_TABLE || s == FRAME_GATHERED || s == FRAME_QUARANTINED || s == FRAME_RESERVED;
}

bool oracle_fault(u64 va, bool store)
{
	model_saw(model.current, "fault", va, store);
	return upcall_page_fault(VA(va), store ? FAULT_WRITE : 0);
}

/* Who took the translation away found D clear, and takes the page for clean. */
void oracle_stored(u64 pa, u64 va)
{
	struct watched *w = watch(pa);

	if (w->gone_clean && oracle_on("O-DIRTY"))
		violation("O-DIRTY", "CPU %u stores to 0x%llx in frame 0x%llx, which was unmapped as clean", model.current, (llu)va,
			  (llu)pa);
	w->stored = true;
}

static void freed(struct frame *f)
{
	struct watched *w = watch(frame_pa(f).raw);
	const struct request *req = &machine.cpu[model.current].flight.req;
	/* A batch's flush has no generation of its own. */
	bool early = !gathering[model.current].closing || (req->mm && req->new_gen <= gathering[model.current].gen_at_open);

	/* What is quarantined waits for another flush; who drains it is not in a gather. */
	if (w->queued_by && f->state == FRAME_GATHERED && early && oracle_on("I-GATHER"))
		violation("I-GATHER", "CPU %u frees frame 0x%llx, queued by CPU %u, before the flush", model.current,
			  (llu)frame_pa(f).raw, w->queued_by - 1u);
	*w = (struct watched){ .gen = w->gen + 1 };
	effects.world = true;
	model_saw(model.current, "free", frame_pa(f).raw, 0);
}

void __real_frame_put(struct frame *f);
void __wrap_frame_put(struct frame *f);
void __real_frame_free(struct pa pa);
void __wrap_frame_free(struct pa pa);

void __wrap_frame_put(struct frame *f)
{
	freed(f);
	__real_frame_put(f);
}

void __wrap_frame_free(struct pa pa)
{
	freed(frame_of(pa));
	__real_frame_free(pa);
}

/* --- walks by software --- */

struct pte __real_pte_read(const struct pte_slot *slot);
struct pte __wrap_pte_read(const struct pte_slot *slot);

/* Whoever looks is kept from freed tables by a lock, or by something that stands for one. */
struct pte __wrap_pte_read(const struct pte_slot *slot)
{
	struct pte pte = __real_pte_read(slot);
	u64 pa = (u64)((const u8 *)slot - ARENA) & ~(u64)(PAGE - 1);

	if (!oracle_frame_is_table(pa) && oracle_on("O-TABLE"))
		violation("O-TABLE", "CPU %u looks for an entry in frame 0x%llx, which is no table now", model.current, (llu)pa);
	return pte;
}

/* --- gathers --- */

void __real_gather_open(struct gather *g, struct mm *mm, struct va start, struct va end, enum change change);
void __wrap_gather_open(struct gather *g, struct mm *mm, struct va start, struct va end, enum change change);
struct pte __real_gather_clear(struct gather *g, struct pte_slot *slot, struct va va, unsigned level);
struct pte __wrap_gather_clear(struct gather *g, struct pte_slot *slot, struct va va, unsigned level);
struct pte __real_gather_change(struct gather *g, struct pte_slot *slot, struct va va, unsigned level, struct pte pte, bool queue);
struct pte __wrap_gather_change(struct gather *g, struct pte_slot *slot, struct va va, unsigned level, struct pte pte, bool queue);
void __real_gather_close(struct gather *g);
void __wrap_gather_close(struct gather *g);
void __real_gather_flush_batch(const struct cpumask *holders, struct frame_list *frames);
void __wrap_gather_flush_batch(const struct cpumask *holders, struct frame_list *frames);

void __wrap_gather_open(struct gather *g, struct mm *mm, struct va start, struct va end, enum change change)
{
	/* From memory: it is only ever incremented by locked operations. */
	gathering[model.current].gen_at_open = mm->tlb_gen.raw;
	effects.world = true;
	model_saw(model.current, "change", start.raw, end.raw);
	__real_gather_open(g, mm, start, end, change);
}

/* No step lies between the exchange in the real one and here. */
static void taken(const struct gather *g, struct va va, unsigned level, struct pte old, bool queued)
{
	u64 pa = pte_pa(old, level).raw;
	struct watched *w = watch(pa);

	effects.world = true;
	model_saw(model.current, "pte", va.raw, old.raw);
	stale_set_change(g->mm->root.raw, va.raw, pt_shift(level), g->mm->kernel);
	if (w->stored && !pte_dirty(old) && oracle_on("O-DIRTY"))
		violation("O-DIRTY", "CPU %u takes 0x%llx away as clean: frame 0x%llx, entry 0x%llx; a store went through it",
			  model.current, (llu)va.raw, (llu)pa, (llu)old.raw);
	if (queued && state_of(pa) == FRAME_GATHERED) {
		w->gone_clean = !pte_dirty(old);
		w->queued_by = (u16)(model.current + 1);
	}
}

struct pte __wrap_gather_clear(struct gather *g, struct pte_slot *slot, struct va va, unsigned level)
{
	struct pte old = __real_gather_clear(g, slot, va, level);

	if (!pte_is_none(old))
		taken(g, va, level, old, true);
	return old;
}

struct pte __wrap_gather_change(struct gather *g, struct pte_slot *slot, struct va va, unsigned level, struct pte pte, bool queue)
{
	struct pte old = __real_gather_change(g, slot, va, level, pte, queue);

	if (queue || pte_prot(old) & ~pte_prot(pte))
		taken(g, va, level, old, queue);
	return old;
}

/* What a gather promises when it returns: nobody uses what is not in the tables now. One that joins a batch promises it later. */
void __wrap_gather_close(struct gather *g)
{
	u64 root = g->mm->root.raw, start = g->start.raw, end = g->end.raw;
	bool kernel = g->mm->kernel, joins = g->flight->req.change == CHANGE_RECLAIM && strategy_now()->value[STAGE_BATCH];

	model.later = joins;
	effects.world = true;
	model_saw(model.current, "flush", start, end);
	tlb_condemn(root, start, end, kernel);
	model.later = false;
	gathering[model.current].closing = true;
	__real_gather_close(g);
	gathering[model.current].closing = false;
	effects.world = true;
	model_saw(model.current, joins ? "batched" : "done", start, end);
	if (!joins)
		tlb_promise();
}

void __wrap_gather_flush_batch(const struct cpumask *holders, struct frame_list *frames)
{
	gathering[model.current].closing = true;
	__real_gather_flush_batch(holders, frames);
	gathering[model.current].closing = false;
	model.later = true;
	effects.world = true;
	model_saw(model.current, "batch done", 0, 0);
	tlb_promise();
	model.later = false;
}

/* --- CPUs --- */

void glue_check_cpu(unsigned cpu)
{
	u64 word = memory_own(cpu, &machine.cpu[cpu].tlb.loaded.raw);
	const struct mm *loaded = (const struct mm *)word;

	if (!oracle_on("I-ROOT") || !word) /* 0: it has not come up */
		return;
	if (word == LOADED_SWITCHING)
		violation("I-ROOT", "CPU %u is between two mms with interrupts on", cpu);
	port_check_loaded(cpu, loaded, memory_own(cpu, &machine.cpu[cpu].tlb.asid.raw));
}

void oracle_interruptible(void)
{
	glue_check_cpu(model.current);
}

void glue_check_kernel_thread(unsigned cpu)
{
	bool in_kmm = memory_own(cpu, &machine.cpu[cpu].tlb.loaded.raw) == (u64)&machine.mm.kernel;
	bool lazy = memory_own(cpu, &machine.cpu[cpu].tlb.lazy.raw);

	glue_check_cpu(cpu);
	if (lazy == in_kmm && oracle_on("I-LAZY"))
		violation("I-LAZY", "CPU %u runs nothing and is %s", cpu, lazy ? "lazy in the kernel's mm" : "in an mm, not lazy");
}

void glue_check_end(void)
{
	u32 i;

	for (i = 0; i < nr_touched; i++)
		if (watched[list[i]].queued_by && state_of((u64)list[i] * PAGE) == FRAME_GATHERED && oracle_on("I-GATHER"))
			violation("I-GATHER", "frame 0x%llx, queued by CPU %u, was never freed", (llu)list[i] * PAGE,
				  watched[list[i]].queued_by - 1u);
}
