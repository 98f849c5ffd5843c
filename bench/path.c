/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmark "path": how long our own code is, for one page and one target. Under -icount one tick is one instruction, and these are
 * instruction counts; elsewhere they are times with all that disturbs them.
 *
 *   part=initiator	gather_close() from call to return, without the time spent waiting, or emulating instructions
 *   part=lazy		the same while the target is lazy
 *   part=switch	switch_mm() to an mm that ran one switch ago
 *   part=responder	from the interrupt to the instruction after it: the target opens its interrupts when the request is there
 *   part=bare		the responder's time for the hand-written handler of the yardstick, the bare sequence
 *   part=clock		two clock reads with nothing between them, part of all of the above
 */
#include "arch/access.h"
#include "arch/broadcast.h"
#include "arch/irq.h"
#include "bench.h"
#include "check.h"
#include "lib/printf.h"
#include "machine.h"
#include "mm/gather.h"
#include "mm/switch.h"
#include "mm/table.h"
#include "smp/wait.h"
#include "bench/common.h"

#define BASE VA(0x60000000)
#define SETTLE_US 200 /* for the other CPU to halt; for an interrupt to become pending where the target has interrupts off */

enum part { PART_INITIATOR, PART_LAZY, PART_RESPONDER, PART_BARE, PART_SWITCH, PART_CLOCK, NR_PARTS };

static const char *const names[NR_PARTS] = { "initiator", "lazy", "responder", "bare", "switch", "clock" };

struct round {
	struct bench_run *r;
	struct mm *mm, *other;
	u64 exception; /* ticks that an emulated instruction costs beside its handler */
	struct meeting meeting;
	struct word taken; /* the initiator's samples so far, while the target halts */
	bool out_of_frames;
};

/* Entry and exit of the exception, and two clock reads: of a sync with nothing to wait for, what its handler does not see. */
static u64 exception_ticks(void)
{
	struct emulated before = broadcast_emulated_so_far();
	u64 begin, end;

	if (!broadcast_emulated())
		return 0;
	begin = clock_begin();
	broadcast_sync();
	end = clock_end();
	return end - begin - (broadcast_emulated_so_far().ticks - before.ticks);
}

/* One page of the mm, with only gather_close() timed. */
static u64 close_timed(struct round *r)
{
	struct smp_cpu *smp = &this_cpu()->smp;
	struct emulated before, after;
	struct gather g;
	u64 begin, end, waited;

	rwlock_take_shared(&r->mm->lock, "an mm's lock");
	gather_open(&g, r->mm, BASE, va_add(BASE, PAGE_SIZE), CHANGE_UNMAP);
	gather_clear(&g, table_find(r->mm->root, BASE, 0), BASE, 0);
	waited = smp->wait_ticks;
	before = broadcast_emulated_so_far();
	begin = clock_begin();
	gather_close(&g);
	end = clock_end();
	after = broadcast_emulated_so_far();
	waited = smp->wait_ticks - waited;
	rwlock_release_shared(&r->mm->lock);
	/* The handler's ticks have its waits in them. */
	if (after.n != before.n)
		waited = after.ticks - before.ticks + (after.n - before.n) * r->exception;
	return end - begin - waited;
}

static u64 switch_timed(struct round *r)
{
	u64 begin, end;

	switch_mm(r->other);
	begin = clock_begin();
	switch_mm(r->mm);
	end = clock_end();
	return end - begin;
}

/* Else the target takes the samples. */
static bool from_initiator(const struct round *r)
{
	return r->r->variant == PART_INITIATOR || r->r->variant == PART_LAZY || r->r->variant == PART_SWITCH;
}

static void initiate(struct round *r, bool cold)
{
	u64 ticks = 0;

	if (from_initiator(r))
		wait_briefly(clock_info()->ticks_per_us * SETTLE_US); /* until the target halts */
	switch (r->r->variant) {
	case PART_INITIATOR:
	case PART_LAZY:
	case PART_RESPONDER:
		ticks = close_timed(r);
		break;
	case PART_SWITCH:
		ticks = switch_timed(r);
		break;
	case PART_BARE:
		ipi_send_one(IPI_YARDSTICK, 1);
		break;
	}
	if (!from_initiator(r))
		return;
	if (!cold)
		bench_sample(r->r, ticks);
	store_release(&r->taken, load_relaxed(&r->taken) + 1);
	cpu_wake(1);
}

static void respond(struct round *r, bool closed, bool cold)
{
	u64 begin, end;

	if (closed)
		wait_briefly(clock_info()->ticks_per_us * SETTLE_US);
	begin = clock_begin();
	if (closed)
		irq_enable(); /* what is pending comes here */
	end = clock_end();
	if (closed)
		irq_save();
	if (!cold)
		bench_sample(r->r, end - begin);
}

static void job(void *arg, unsigned index)
{
	struct round *r = arg;
	bool closed = r->r->variant == PART_RESPONDER || r->r->variant == PART_BARE, irqs;
	unsigned i;

	if (!index)
		r->exception = exception_ticks();
	for (i = 0; i <= r->r->wanted; i++) { /* the first one starts cold, after the strategy was installed */
		switch_mm(r->mm);
		if (!index) {
			bench_make_room();
			r->out_of_frames |= !mm_populate(r->mm, BASE, 1, 0, PROT_READ | PROT_WRITE | PROT_USER);
		}
		meet(&r->meeting, "a fresh page");
		va_load(BASE);
		if (index && r->r->variant == PART_LAZY)
			switch_lazy();
		irqs = index && closed ? irq_save() : false;
		meet(&r->meeting, "both to be ready");
		if (!index)
			initiate(r, !i);
		else if (!from_initiator(r))
			respond(r, closed, !i);
		else /* halted: under -icount the clock goes on while another CPU spins, and a TLBI lets that run */
			wait_idle(&r->taken, WAIT_GE, i + 1, "the initiator's sample", false);
		if (irqs)
			irq_restore(true);
		meet(&r->meeting, "both to be done");
		if (!index)
			mm_zap(r->mm, BASE, PAGE_SIZE);
	}
	/* The target does not leave, and become lazy, before the last zap. */
	meet(&r->meeting, "the last zap");
}

static const char *variant(unsigned i, unsigned cpus, char *buf, size_t size)
{
	if (i >= NR_PARTS || cpus != 2)
		return NULL;
	ksnprintf(buf, size, "part=%s", names[i]);
	return buf;
}

static bool round(struct bench_run *run)
{
	struct round r = { .r = run, .mm = mm_create(), .other = mm_create(), .meeting = { .n = 2 } };

	if (!r.mm || !r.other)
		return bench_fail(run, "out of frames: see option frames");
	cpumask_first_n(&machine.shootdown.scratch, 2);
	bench_start(run);
	workers_run(&machine.shootdown.scratch, job, &r);
	run->ops = run->n + 1;
	run->targets = 1;
	bench_stop(run);
	mm_destroy(r.mm);
	mm_destroy(r.other);
	return r.out_of_frames ? bench_fail(run, "out of frames: see option frames") : true;
}

BENCH(path, .help = "our own code for one page and one target, in ticks; instructions under -icount", .min_cpus = 2, .pages = 1,
      .variant = variant, .round = round);
