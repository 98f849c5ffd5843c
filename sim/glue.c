/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between the kernel's C and the model: the contracts of include/arch that are no instruction, the oracles' questions, promises taken from the kernel's own
 * calls (linked with --wrap), set-up and reset.
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
#include "arch/x86/ipi.h"
#include "bench.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "mm/gather.h"
#include "sim/arena.h"
#include "sim/glue.h"
#include "sim/scenario.h"
#include "sim/sched.h"
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

	for (i = 0; i < bytes; i += PAGE)
		arena_touch(pa.raw + i);
	for (i = 0; i < bytes / 8; i++)
		((u64 *)(ARENA + pa.raw))[i] = value;
}

void wait_halt(const struct word *w, u64 seen, u64 ticks)
{
	(void)w, (void)seen, (void)ticks;
	/* Only an interrupt ends a halt: a wake-up that was forgotten is a deadlock here. */
	model.cpu[model.current].irq_on = true;
	model_block(NULL, 0);
	model.cpu[model.current].irq_on = false;
}

struct access va_load(struct va va)
{
	struct model_access a = tlb_access(va.raw, false, 0);

	return (struct access){ .value = a.value, .fault = a.fault };
}

struct access va_store(struct va va, u64 value)
{
	struct model_access a = tlb_access(va.raw, true, value);

	return (struct access){ .value = a.value, .fault = a.fault };
}

static struct pa kernel_root;

struct pa platform_kernel_root(void)
{
	return kernel_root;
}

void platform_copy_kernel_half(struct pa root)
{
	memcpy(ARENA + root.raw + PAGE / 2, ARENA + kernel_root.raw + PAGE / 2, PAGE / 2);
}

void sched_interrupt(unsigned vector)
{
	if (vector == (VECTOR_CALL & 31))
		upcall_ipi_call();
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

/* --- oracles --- */

static u32 generation[ARENA_BYTES / PAGE], changed[ARENA_BYTES / PAGE], nr_changed;

u32 oracle_frame_gen(u64 pa)
{
	return generation[pa / PAGE % (ARENA_BYTES / PAGE)];
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
	return upcall_page_fault(VA(va), store ? FAULT_WRITE : 0);
}

static void new_generation(u64 pa)
{
	u64 page = pa / PAGE;

	if (nr_changed < ARENA_BYTES / PAGE)
		changed[nr_changed++] = (u32)page;
	generation[page]++;
}

void __real_frame_put(struct frame *f);
void __wrap_frame_put(struct frame *f);
void __real_frame_free(struct pa pa);
void __wrap_frame_free(struct pa pa);
void __real_gather_close(struct gather *g);
void __wrap_gather_close(struct gather *g);

void __wrap_frame_put(struct frame *f)
{
	new_generation(frame_pa(f).raw);
	__real_frame_put(f);
}

void __wrap_frame_free(struct pa pa)
{
	new_generation(pa.raw);
	__real_frame_free(pa);
}

/* What a gather promises when it returns: nobody uses what is not in the tables now. */
void __wrap_gather_close(struct gather *g)
{
	u64 root = g->mm->root.raw, start = g->start.raw, end = g->end.raw;
	bool kernel = g->mm->kernel;

	tlb_condemn(root, start, end, kernel);
	__real_gather_close(g);
	tlb_promise(root, start, end, kernel);
}

/* --- what must hold whenever a CPU could be interrupted --- */

void glue_check_cpu(unsigned cpu)
{
	/* As the CPU itself sees it: its own buffered stores count. */
	u64 word = memory_load(&machine.cpu[cpu].tlb.loaded.raw);
	const struct mm *loaded = (const struct mm *)word;

	if (word == LOADED_SWITCHING)
		violation("I-CR3", "CPU %u is between two mms with interrupts on", cpu);
	if ((model.cpu[cpu].cr3 & PTE_ADDR) != loaded->root.raw)
		violation("I-CR3", "CPU %u has root 0x%llx loaded, its mm's is 0x%llx", cpu, (unsigned long long)(model.cpu[cpu].cr3 & PTE_ADDR),
			  (unsigned long long)loaded->root.raw);
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

static void set_up_memory(void)
{
	struct mem_map map = { .nr = 1, .range = { { PA(1 << 20), PA(13 << 20), MEM_USABLE } } };

	arena_clear();
	boot_alloc_init(&map, PA(0), PA(0));
	kernel_root = boot_alloc(PAGE, PAGE);
	/* The window for kernel mappings has its table from the start, as on metal. */
	((u64 *)(ARENA + kernel_root.raw))[pt_index(VA(KERNEL_MAP_START), 3)] = boot_alloc(PAGE, PAGE).raw | PTE_P | PTE_W | PTE_A;
}

const char *glue_set_up(const struct scenario *s, const char *spec, unsigned cpus, bool x2apic, bool tests)
{
	static char error[400];
	const char *problem;
	unsigned cpu;

	memset(&machine, 0, sizeof(machine));
	memset(&model, 0, sizeof(model));
	memset(&scene, 0, sizeof(scene));
	sched_cpus_at(machine.cpu, sizeof(struct cpu));
	model.nr_cpus = machine.smp.nr_cpus = machine.smp.nr_expected = machine.arch.nr_cpus = scene.cpus = cpus;
	machine.arch.x2apic = x2apic;
	set_up_memory();
	cpumask_first_n(&machine.smp.online, cpus);
	mm_init_kernel();
	if (!shootdown_init(error, sizeof(error)) || !strategy_compose(&machine.shootdown.trial, spec, strlen(spec), tests, error, sizeof(error)))
		return error;
	machine.shootdown.strategy = &machine.shootdown.trial;
	for (cpu = 0; cpu < cpus; cpu++) {
		machine.cpu[cpu].id = machine.arch.hw_id[cpu] = cpu;
		model.cpu[cpu].cr4 = 1 << 7; /* PGE */
		sched_be(cpu);
		switch_init_cpu();
	}
	sched_be(0);
	call_init();
	problem = frames_init();
	if (problem)
		return problem;
	s->set_up();
	sched_be(0);
	for (cpu = 0; cpu < cpus; cpu++)
		model.cpu[cpu].irq_on = true;
	memset(&model.seen, 0, sizeof(model.seen));
	arena_keep();
	memcpy(&kept_machine, &machine, machine_bytes(cpus));
	memcpy(&kept_model, &model, model_bytes(cpus));
	kept_scene = scene;
	kept_meta = realloc(kept_meta, machine.mm.frames.n * sizeof(struct frame));
	memcpy(kept_meta, machine.mm.frames.meta, machine.mm.frames.n * sizeof(struct frame));
	nr_changed = 0;
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
	while (nr_changed)
		generation[changed[--nr_changed]]--;
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
	if (!right)
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
	return test_fail(t, "proves nothing: %llu of %llu accesses reached the old contents", (unsigned long long)held, (unsigned long long)wanted);
}
