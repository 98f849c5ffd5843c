/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between the kernel's C and the model: the contracts of include/arch that are no instruction; set-up and reset.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/clock.h"
#include "arch/frame.h"
#include "arch/platform.h"
#include "arch/upcall.h"
#include "arch/wait.h"
#include "bench.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "sim/arena.h"
#include "sim/effects.h"
#include "sim/glue.h"
#include "sim/oracle.h"
#include "sim/race.h"
#include "sim/scenario.h"
#include "sim/port.h"
#include "sim/sched.h"
#include "sim/state.h"
#include "sim/tlb.h"
#include "smp/call.h"
#include "test.h"

struct machine machine;
struct scene scene;

/* --- contracts --- */

static const struct clock_info clock = { "steps", "none", 1, 1000, 1, true };

const struct clock_info *clock_info(void)
{
	return &clock;
}

void *frame_contents(struct pa pa)
{
	arena_touch(pa.raw);
	return ARENA + pa.raw;
}

void frame_fill(struct pa pa, u64 bytes, u64 value)
{
	u64 i;

	effects.world = true;
	for (i = 0; i < bytes; i += PAGE)
		arena_touch(pa.raw + i);
	for (i = 0; i < bytes / 8; i++)
		((u64 *)(ARENA + pa.raw))[i] = value;
}

void wait_halt(const struct word *w, u64 seen, u64 ticks)
{
	(void)seen, (void)ticks;
	/* A worker between jobs. */
	if (w == &this_cpu()->worker.job && !w->raw)
		glue_check_kernel_thread(model.current);
	/* Only an interrupt ends a halt: a wake-up that was forgotten is a deadlock here. */
	model.cpu[model.current].irq_on = true;
	model_block(NULL, 0);
	model.cpu[model.current].irq_on = false;
}

struct access va_load(struct va va)
{
	struct model_access a = tlb_access(va.raw, false, 0);

	state_access(model.current, a.value, a.fault);
	return (struct access){ .value = a.value, .fault = a.fault };
}

struct access va_store(struct va va, u64 value)
{
	struct model_access a = tlb_access(va.raw, true, value);

	state_access(model.current, a.value, a.fault);
	return (struct access){ .value = a.value, .fault = a.fault };
}

static struct pa kernel_root;

struct pa platform_kernel_root(void)
{
	return kernel_root;
}

void sched_interrupt(unsigned vector)
{
	race_taken();
	glue_check_cpu(model.current);
	if (port_is_call(vector))
		upcall_ipi_call();
	glue_check_cpu(model.current);
}

void panic(const char *fmt, ...)
{
	char text[300];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (sched_on)
		violation("CHECK", "%s", text);
	fprintf(stderr, "tlblab sim: %s\n", text);
	exit(3);
}

void check_failed(const char *what, const char *file, int line)
{
	panic("CHECK(%s) failed at %s:%d", what, file, line);
}

/* --- set-up and reset --- */

static struct machine kept_machine;
static struct model kept_model;
static struct scene kept_scene;
static struct frame *kept_meta;

static size_t machine_bytes(unsigned cpus)
{
	return offsetof(struct machine, cpu) + cpus * sizeof(struct cpu);
}

static size_t model_bytes(unsigned cpus)
{
	return offsetof(struct model, cpu) + cpus * sizeof(struct model_cpu);
}

/* As little as will do: what is known of each frame is put back for each schedule. */
static void set_up_memory(unsigned mib)
{
	/* Each CPU wants some for itself, and for calls to each other one. */
	u64 end = ((u64)mib << 20) + model.nr_cpus * (model.nr_cpus * sizeof(struct call_node) + PAGE);
	struct mem_map map = { .nr = 1, .range = { { PA(1 << 20), PA(ALIGN_DOWN(end, PAGE)), MEM_USABLE } } };

	arena_clear();
	boot_alloc_init(&map, PA(0), PA(0));
	kernel_root = boot_alloc(PAGE, PAGE);
	/* The window for kernel mappings has its table from the start, as on metal. */
	((u64 *)(ARENA + kernel_root.raw))[pt_index(VA(KERNEL_MAP_START), 3)] = pte_table(boot_alloc(PAGE, PAGE)).raw;
}

const char *glue_set_up(const struct scenario *s, const char *spec, unsigned cpus, const struct features *have, bool sabotage)
{
	static char error[400];
	const char *problem;
	unsigned cpu;

	/* What the set-up before used, not room for 1024 CPUs: a short run would take longer for that than for all else. */
	memset(&machine, 0, machine_bytes(scene.cpus));
	memset(&model, 0, model_bytes(scene.cpus));
	memset(&scene, 0, sizeof(scene));
	sched_cpus_at(machine.cpu, sizeof(struct cpu));
	model.nr_cpus = machine.smp.nr_cpus = machine.smp.nr_expected = scene.cpus = cpus;
	set_up_memory(s->run ? 13 : 45); /* guest tests use large pages */
	problem = port_set_up(have->flags);
	if (problem)
		return problem;
	cpumask_first_n(&machine.smp.online, cpus);
	mm_init_kernel();
	shootdown_boot();
	if (!strategy_compose(&machine.shootdown.trial, spec, strlen(spec), sabotage, error, sizeof(error)))
		return error;
	machine.shootdown.strategy = &machine.shootdown.trial;
	strategy_now()->tagging->reset();
	for (cpu = 0; cpu < cpus; cpu++) {
		machine.cpu[cpu].id = cpu;
		sched_be(cpu);
		port_set_up_cpu(have->flags);
		switch_init_cpu();
	}
	sched_be(0);
	call_init();
	problem = frames_init();
	if (problem)
		return problem;
	s->set_up();
	for (cpu = 0; cpu < cpus; cpu++) {
		sched_be(cpu);
		model.cpu[cpu].irq_on = true;
		if (sched.still)
			port_settle_cpu();
	}
	sched_be(0);
	memset(&model.seen, 0, sizeof(model.seen));
	model.knobs = have->knobs;
	arena_keep();
	memcpy(&kept_machine, &machine, machine_bytes(cpus));
	memcpy(&kept_model, &model, model_bytes(cpus));
	kept_scene = scene;
	kept_meta = realloc(kept_meta, machine.mm.frames.n * sizeof(struct frame));
	memcpy(kept_meta, machine.mm.frames.meta, machine.mm.frames.n * sizeof(struct frame));
	oracle_keep();
	return NULL;
}

void glue_reset(unsigned fills)
{
	unsigned cpus = scene.cpus;

	memcpy(&machine, &kept_machine, machine_bytes(cpus));
	memcpy(&model, &kept_model, model_bytes(cpus));
	scene = kept_scene;
	arena_restore();
	memcpy(machine.mm.frames.meta, kept_meta, machine.mm.frames.n * sizeof(struct frame));
	oracle_restore();
	waits_begin();
	model.fill_budget = fills;
}

void scene_be(unsigned cpu)
{
	sched_be(cpu);
}

void scene_watch(struct va va)
{
	if (model.nr_va < MODEL_VAS)
		model.va[model.nr_va++] = va.raw;
}

struct mm *scene_mm(struct va va, u64 pages, unsigned prot)
{
	struct mm *mm = mm_create();
	u64 i;

	CHECK(mm && mm_populate(mm, va, pages, 0, prot));
	for (i = 0; i < pages; i++)
		frame_fill(pte_pa(mm_lookup(mm, va_add(va, i * PAGE_SIZE)), 0), PAGE_SIZE, i + 1);
	return mm;
}

void scene_expect(bool right, const char *what)
{
	if (!right && oracle_on("VALUE"))
		violation("VALUE", "CPU %u: %s", model.current, what);
}

void kprintf(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
}

/* For guest tests: what failed ends the schedule. */
bool test_fail(struct test_run *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(t->message, sizeof(t->message), fmt, args);
	va_end(args);
	return false;
}

bool test_vacuous(struct test_run *t, u64 held, u64 wanted)
{
	t->vacuous = true;
	return test_fail(t, "proves nothing: %llu of %llu accesses reached the old contents", (unsigned long long)held,
			 (unsigned long long)wanted);
}
