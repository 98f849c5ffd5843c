/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the CPUs do meanwhile that take no part in a cell: others.h. State: machine.bench.others; of each CPU, a line that it alone
 * writes. Work comes in blocks, after each of which a CPU looks whether it is the end.
 */
#include "bench/others.h"

#include "arch/access.h"
#include "arch/frame.h"
#include "lib/boot_memory.h"
#include "lib/words.h"
#include "machine.h"
#include "mm/switch.h"
#include "option.h"
#include "smp/wait.h"

#define SPIN_STEPS 4096
#define LINES (16ull << 20 >> 6) /* of each CPU: 16 MiB, more than its part of the caches */
#define BLOCK_LINES 1024
#define BASE VA(0x70000000)

static const char *const names[] = { "halt", "spin", "mem", "flush" };

static const char *known(const char *text, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (word_is(text, n, names[i]))
			return NULL;
	return "halt, spin, mem, flush";
}

OPTION(others, .kind = OPTION_WORDS, .accepts = "WHAT,...  halt, spin, mem, flush", .def = "halt", .check = known,
       .help = "what CPUs do that take no part in insn and latency, a cell for each: halt, count in registers, stream through "
	       "memory, flush their own mms");

bool others_nth(const struct bench *b, unsigned cpus, unsigned i, enum others *what)
{
	const char *word;
	size_t n;

	*what = OTHERS_HALT;
	if (!b->by_others || cpus == machine.smp.nr_cpus)
		return !i;
	if (!option_list_word(&option_others, i, &word, &n))
		return false;
	while (!word_is(word, n, names[*what]))
		++*what;
	return true;
}

const char *others_name(enum others what)
{
	return what == OTHERS_HALT && machine.smp.idle_spins ? "idle-spin" : names[what];
}

const char *others_check(void)
{
	if (machine.smp.idle_spins && option_given(&option_others) && option_list_has(&option_others, "halt"))
		return "others=halt: with idle=spin no CPU halts; accepted with it are spin, mem, flush, or idle=halt";
	return NULL;
}

void others_init(void)
{
	struct others_state *o = &machine.bench.others;

	o->cpu = frame_contents(boot_alloc(machine.smp.nr_cpus * sizeof(*o->cpu), PAGE_SIZE));
	for (unsigned cpu = 1; option_list_has(&option_others, "mem") && cpu < machine.smp.nr_cpus; cpu++)
		o->cpu[cpu].lines = frame_contents(boot_alloc(LINES * CACHE_LINE, PAGE_SIZE));
}

/* Registers only; the end is stored, or it would not have to be computed. */
static void spin(struct others_cpu *self)
{
	u64 x = self->x;

	for (unsigned i = 0; i < SPIN_STEPS; i++)
		x = x * 6364136223846793005ull + 1;
	self->x = x;
	self->done++;
}

static void stream(struct others_cpu *self)
{
	for (unsigned i = 0; i < BLOCK_LINES; i++) {
		self->lines[self->x * (CACHE_LINE / sizeof(u64))]++;
		self->x = (self->x + 1) % LINES;
	}
}

/* Times that a line was written, in all rounds. */
static u64 lines_written(const struct others_cpu *self)
{
	u64 sum = 0;

	for (u64 i = 0; i < LINES; i++)
		sum += self->lines[i * (CACHE_LINE / sizeof(u64))];
	return sum;
}

/* Back to more rights without a flush, which the next touch finds out. No frame is freed, so none is held back. */
static void flush(struct mm *mm)
{
	mm_protect(mm, BASE, PAGE_SIZE, PROT_READ | PROT_USER);
	mm_protect(mm, BASE, PAGE_SIZE, PROT_READ | PROT_WRITE | PROT_USER);
	va_store(BASE, 1);
}

static struct mm *make_mm(void)
{
	struct mm *mm = mm_create();

	if (mm && mm_populate(mm, BASE, 1, 0, PROT_READ | PROT_WRITE | PROT_USER)) {
		switch_mm(mm);
		return mm;
	}
	if (mm)
		mm_destroy(mm);
	return NULL;
}

static void block(enum others what, struct others_cpu *self, struct mm *mm)
{
	if (what == OTHERS_SPIN)
		spin(self);
	else if (what == OTHERS_MEM)
		stream(self);
	else
		flush(mm);
}

/* What was done is read off its effect where it has one: the lines, the mm's generation. */
static u64 effect(enum others what, const struct others_cpu *self, const struct mm *mm)
{
	return what == OTHERS_SPIN ? self->done : what == OTHERS_MEM ? lines_written(self) : load_relaxed(&mm->tlb_gen);
}

static void job(void *arg, unsigned index)
{
	struct others_state *o = arg;
	struct others_cpu *self = &o->cpu[this_cpu()->id];
	struct mm *mm = o->what == OTHERS_FLUSH ? make_mm() : NULL;
	u64 before;

	(void)index;
	self->x = self->done = 0;
	if (o->what == OTHERS_FLUSH && !mm) {
		store_relaxed(&o->failed, 1);
		add_full(&o->ready, 1);
		return;
	}
	before = effect(o->what, self, mm);
	block(o->what, self, mm);
	add_full(&o->ready, 1);
	/* No spin: it works until the round is over. */
	while (!load_acquire(&o->stop))
		block(o->what, self, mm);
	self->done = effect(o->what, self, mm) - before;
	if (!mm)
		return;
	switch_to_kernel();
	mm_destroy(mm);
}

const char *others_start(enum others what, unsigned cpus)
{
	struct others_state *o = &machine.bench.others;

	cpumask_copy(&o->cpus, &machine.smp.online);
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		cpumask_clear(&o->cpus, cpu);
	o->what = what;
	o->nr = machine.smp.nr_cpus - cpus;
	if (what == OTHERS_HALT)
		return NULL;
	o->job = (struct job){ .fn = job, .arg = o };
	store_relaxed(&o->ready, 0);
	store_relaxed(&o->stop, 0);
	store_relaxed(&o->failed, 0);
	workers_start(&o->cpus, &o->job);
	wait_until(&o->ready, WAIT_EQ, o->nr, "other CPUs to be at work");
	if (!load_relaxed(&o->failed))
		return NULL;
	others_stop();
	return "out of frames: see option frames";
}

u64 others_stop(void)
{
	struct others_state *o = &machine.bench.others;
	u64 sum = 0;
	unsigned cpu;

	if (o->what != OTHERS_HALT) {
		store_release(&o->stop, 1);
		workers_wait(&o->cpus, &o->job);
	}
	for_each_cpu(cpu, &o->cpus)
		sum += o->what == OTHERS_HALT ? load_relaxed(&machine.cpu[cpu].smp.wait.halted) : o->cpu[cpu].done;
	o->what = OTHERS_HALT;
	return sum;
}
