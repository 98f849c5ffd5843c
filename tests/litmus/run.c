/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a thread of a litmus shape, one operation after the other. Entries are stored by litmus_store_entry() on purpose, and
 * invalidated by single instructions or not at all: that is what is tried. The mm's faults are left as they are (keep_faults). No
 * state but struct litmus_run, which is the caller's.
 */
#include "arch/frame.h"
#include "arch/irq.h"
#include "arch/tlb.h"
#include "arch/access.h"
#include "check.h"
#include "machine.h"
#include "mm/switch.h"
#include "mm/table.h"
#include "smp/call.h"
#include "tests/litmus/litmus.h"

#define RW (PROT_READ | PROT_WRITE | PROT_USER)

static struct pa page_of(u64 value)
{
	struct pa pa = frame_alloc(FRAME_DATA);

	if (!pa_is_none(pa))
		frame_fill(pa, PAGE_SIZE, value);
	return pa;
}

static struct pa empty_table(void)
{
	struct pa pa = frame_alloc(FRAME_TABLE);

	if (!pa_is_none(pa))
		frame_fill(pa, PAGE_SIZE, pte_none().raw);
	return pa;
}

static void free_page(struct pa pa)
{
	if (!pa_is_none(pa))
		frame_free(pa);
}

static void free_all(struct litmus_run *run, const struct pa *frame)
{
	unsigned i;

	if (run->mm)
		mm_destroy(run->mm); /* first: nobody reaches the frames through it any more */
	for (i = 0; i < 2; i++)
		free_page(frame[i]);
	free_page(run->other_table);
}

bool litmus_create(struct litmus_run *run, const struct litmus *shape)
{
	struct pa frame[] = { page_of(NEW), page_of(THIRD), page_of(OLD) };
	struct mm *mm = mm_create();

	*run = (struct litmus_run){ .shape = shape, .mm = mm, .other_table = empty_table() };
	if (!mm || pa_is_none(frame[0]) || pa_is_none(frame[1]) || pa_is_none(frame[2]) || pa_is_none(run->other_table) ||
	    !mm_map_frame(mm, LITMUS_VA, frame[2], 0, RW)) {
		free_page(frame[2]);
		free_all(run, frame);
		return false;
	}
	mm->keep_faults = true;
	run->slot[X_LEAF] = table_find(mm->root, LITMUS_VA, 0);
	run->slot[X_TABLE] = table_find(mm->root, LITMUS_VA, 1);
	run->slot[X_OTHER_LEAF] = pte_slot(run->other_table, pt_index(LITMUS_VA, 0));
	run->entry[NONE] = pte_none();
	run->entry[OLD] = pte_read(run->slot[X_LEAF]);
	run->entry[NEW] = pte_leaf(frame[0], RW, 0);
	run->entry[THIRD] = pte_leaf(frame[1], RW, 0);
	run->entry[FIRST_TABLE] = pte_read(run->slot[X_TABLE]);
	run->entry[OTHER_TABLE] = pte_table(run->other_table);
	return true;
}

void litmus_destroy(struct litmus_run *run)
{
	struct pa frame[] = { pte_pa(run->entry[NEW], 0), pte_pa(run->entry[THIRD], 0) };

	/* What is destroyed is as it was created: the mm frees the old frame and the first table. */
	litmus_store_entry(run->slot[X_TABLE], run->entry[FIRST_TABLE]);
	litmus_store_entry(run->slot[X_LEAF], run->entry[OLD]);
	free_all(run, frame);
}

void litmus_break(struct litmus_run *run)
{
	unsigned i;

	for (i = 0; i < NR_LITMUS_SLOTS; i++)
		litmus_store_entry(run->slot[i], run->entry[NONE]);
}

void litmus_rewind(struct litmus_run *run)
{
	const struct litmus *shape = run->shape;
	unsigned i;

	litmus_store_entry(run->slot[X_LEAF], run->entry[shape->leaf]);
	litmus_store_entry(run->slot[X_OTHER_LEAF], run->entry[shape->other_leaf]);
	litmus_store_entry(run->slot[X_TABLE], run->entry[shape->table]);
	for (i = 0; i < NR_LITMUS_WORDS; i++)
		store_relaxed(&run->message[i].word, 0);
	litmus_drop(); /* for its barriers: walks see the entries */
}

void litmus_drop(void)
{
	bool irqs = irq_save();

	tlb_flush_range(LITMUS_VA, 1, PAGE_SHIFT, false);
	irq_restore(irqs);
}

static u64 access(void)
{
	struct access a = va_load(LITMUS_VA);

	return a.fault ? FAULTS : a.value;
}

void litmus_hold(const struct litmus_run *run, unsigned thread)
{
	if (run->shape->holds >> thread & 1)
		access();
}

static void reload(const struct litmus_run *run)
{
	bool irqs = irq_save();

	tlb_flush_tag(run->mm->root, (struct tag){ .asid = loaded_asid() });
	irq_restore(irqs);
}

static void drop_called(struct call_node *call)
{
	tlb_flush_range(LITMUS_VA, 1, PAGE_SHIFT, false);
	call_done(call);
}

static void call(unsigned cpu)
{
	struct cpumask target;

	cpumask_zero(&target);
	cpumask_set(&target, cpu);
	call_issue(drop_called, NULL, &target);
	call_sync(&target, "a litmus shape's interrupt");
}

static void do_op(struct litmus_run *run, const struct litmus_op *op, u64 *reg)
{
	switch ((enum litmus_kind)op->kind) {
	case OP_END:
		break;
	case OP_ENTRY:
		litmus_store_entry(run->slot[op->a], run->entry[op->b]);
		break;
	case OP_WRITE:
		store_relaxed(&run->message[op->a].word, op->b);
		break;
	case OP_READ:
		reg[op->b] = load_relaxed(&run->message[op->a].word);
		break;
	case OP_ACCESS:
		reg[op->a] = access();
		break;
	case OP_FENCE:
		barrier_full();
		break;
	case OP_INSN:
		litmus_insn(op->a, LITMUS_VA);
		break;
	case OP_RELOAD:
		reload(run);
		break;
	case OP_CALL:
		call(op->a);
		break;
	}
}

void litmus_thread(struct litmus_run *run, unsigned thread)
{
	const struct litmus_op *op;
	u64 reg[LITMUS_REGS] = { 0 };
	unsigned i;

	for (op = run->shape->thread[thread]; op->kind != OP_END; op++)
		do_op(run, op, reg);
	/* Only now: the lines are others' as well. */
	for (i = 0; i < LITMUS_REGS; i++)
		run->reg[thread][i] = reg[i];
}
