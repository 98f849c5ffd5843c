/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/frame.c lib/boot_memory.c lib/printf.c lib/words.c boot/options.c boot/option_values.c smp/cpumask.c smp/lock.c */
/* The frame allocator on several CPUs against an array with one entry per frame. */
#include "arch/frame.h"
#include "lib/boot_memory.h"
#include "mm/frame.h"
#include "unit.h"

#define MIB (1ull << 20)
#define MEMORY (1024 * MIB) /* addresses 0..MEMORY are there to be written to; the host gives pages when they are */
#define CPUS 4

static char *memory;
static struct mem_map map;
static bool in_use[MEMORY / PAGE_SIZE];
static u64 seed;

void *frame_contents(struct pa pa)
{
	if (!memory)
		memory = calloc(1, MEMORY);
	EXPECT(pa.raw < MEMORY);
	return memory + pa.raw;
}

void frame_fill(struct pa pa, u64 bytes, u64 value)
{
	EXPECT(value == 0 && bytes <= MEMORY - pa.raw);
	memset(frame_contents(pa), 0, bytes);
}

static void add_range(u64 start, u64 end, enum mem_kind kind)
{
	map.range[map.nr++] = (struct mem_range){ PA(start), PA(end), kind };
}

/* The image at 2 MiB, as the product has it. */
static const char *begin(const char *frames)
{
	unsigned cpu;

	machine.smp.nr_cpus = CPUS;
	cpumask_first_n(&machine.smp.online, CPUS);
	for (cpu = 0; cpu < CPUS; cpu++)
		machine.cpu[cpu].id = cpu;
	unit_set_option("frames", frames);
	memset(in_use, 0, sizeof(in_use));
	boot_alloc_init(&map, PA(2 * MIB), PA(3 * MIB + 0x123));
	return frames_init();
}

static bool is_usable(u64 pa, u64 bytes)
{
	unsigned i;

	for (i = 0; i < map.nr; i++)
		if (map.range[i].kind == MEM_USABLE && pa >= map.range[i].start.raw && pa + bytes <= map.range[i].end.raw)
			return pa >= MIB && (pa + bytes <= 2 * MIB || pa >= 3 * MIB + 0x123);
	return false;
}

/* Not twice, only from usable memory, not the array that describes the frames. */
static void expect_fresh(u64 pa, u64 bytes)
{
	u64 meta = (u64)((char *)machine.mm.frames.meta - memory), at;

	EXPECT(pa % bytes == 0 && is_usable(pa, bytes));
	EXPECT(pa + bytes <= meta || pa >= meta + machine.mm.frames.n * sizeof(struct frame));
	for (at = pa; at < pa + bytes && !unit_failures(); at += PAGE_SIZE) {
		EXPECT(!in_use[at / PAGE_SIZE]);
		in_use[at / PAGE_SIZE] = true;
	}
	EXPECT_EQ(frame_pa(frame_of(PA(pa))).raw, pa);
}

static void give_back(u64 pa, u64 bytes)
{
	memset(&in_use[pa / PAGE_SIZE], 0, bytes / PAGE_SIZE);
	frame_free(PA(pa));
}

static void usual_memory(void)
{
	map.nr = 0;
	add_range(0x1000, 0x9fc00, MEM_USABLE);
	add_range(MIB, 40 * MIB + 0x800, MEM_USABLE);
	add_range(40 * MIB + 0x800, 41 * MIB, MEM_ACPI);
	add_range(43 * MIB, 51 * MIB + 0x1800, MEM_USABLE);
	add_range(70 * MIB, 900 * MIB, MEM_USABLE);
}

/* All frames, by the CPUs in turns, until there are none. Ends with all free again. */
static void expect_all_to_be_had(u64 small, u64 large)
{
	static u64 got[MEMORY / PAGE_SIZE];
	u64 n = 0, i;
	struct pa pa;

	for (i = 0; i < large; i++) {
		got[n] = frame_alloc_large().raw;
		expect_fresh(got[n++], LARGE_SIZE);
	}
	EXPECT(pa_is_none(frame_alloc_large()));
	for (i = 0; i < CPUS; i++) {
		host_cpu = &machine.cpu[i];
		while (!pa_is_none(pa = frame_alloc(FRAME_DATA)) && !unit_failures()) {
			got[n++] = pa.raw;
			expect_fresh(pa.raw, PAGE_SIZE);
		}
	}
	EXPECT_EQ(n, small + large);
	EXPECT_EQ(frames_free_now(), 0);
	while (n--)
		give_back(got[n], n < large ? LARGE_SIZE : PAGE_SIZE);
	EXPECT_EQ(frames_free_now(), small);
}

UNIT_TEST(frames_as_many_as_asked_for)
{
	static const unsigned mib[] = { 16, 17, 100, 256, 700 };
	const struct frames_state *fs = &machine.mm.frames;
	char text[16];
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(mib); i++) {
		memset(&machine, 0, sizeof(machine));
		usual_memory();
		snprintf(text, sizeof(text), "%u", mib[i]);
		EXPECT_STR(begin(text) ?: "", "");
		EXPECT_EQ(fs->total_large, MIN(mib[i] / 2 / 4, 64));
		EXPECT_EQ(fs->total_small + fs->total_large * 512, mib[i] * MIB / PAGE_SIZE);
		EXPECT_EQ(frames_free_now(), fs->total_small);
		expect_all_to_be_had(fs->total_small, fs->total_large);
	}
}

/* Less than frames= asks for: all there is, but for the array. */
UNIT_TEST(frames_of_a_small_machine)
{
	const struct frames_state *fs = &machine.mm.frames;
	u64 pages = 1 * MIB / PAGE_SIZE + (20 * MIB - 3 * MIB - PAGE_SIZE) / PAGE_SIZE;

	map.nr = 0;
	add_range(0x1000, 0x9fc00, MEM_USABLE);
	add_range(MIB, 20 * MIB, MEM_USABLE);
	EXPECT_STR(begin("256") ?: "", "");
	EXPECT_EQ(fs->total_small + fs->total_large * 512, pages - ALIGN_UP(fs->n * sizeof(struct frame), PAGE_SIZE) / PAGE_SIZE);
	EXPECT_CHECK(boot_alloc(PAGE_SIZE, PAGE_SIZE)); /* nothing is left to give */
	expect_all_to_be_had(fs->total_small, fs->total_large);
}

UNIT_TEST(frames_too_little_memory)
{
	static const char line[] = "too little memory: 8 MiB must be left for address spaces; "
				   "tlblab wants 64 MiB and 1 MiB for each CPU";
	u64 top;

	/* 1..2 MiB are usable, the image ends in the first page of 3 MiB; the page more makes it 8 MiB. */
	for (top = 3 * MIB; top <= 10 * MIB; top += 16 * PAGE_SIZE) {
		map.nr = 0;
		add_range(0x1000, top, MEM_USABLE);
		EXPECT_STR(begin("256") ?: "", line);
	}
	map.range[0].end = PA(10 * MIB + PAGE_SIZE);
	EXPECT_STR(begin("256") ?: "", "");
	map.nr = 0;
	EXPECT_STR(begin("256") ?: "", line);
}

UNIT_TEST(frames_move_in_batches)
{
	const struct frames_state *fs = &machine.mm.frames;
	struct frame_list *mine = &machine.cpu[0].frames.list;
	struct pa got[4 * FRAME_BATCH];
	unsigned i;
	u64 before;

	usual_memory();
	EXPECT(!begin("16"));
	before = fs->small.n;
	for (i = 0; i < ARRAY_SIZE(got); i++) {
		got[i] = frame_alloc(FRAME_TABLE);
		EXPECT_EQ(frame_of(got[i])->state, FRAME_TABLE);
		EXPECT_EQ(fs->small.n, before - (i / FRAME_BATCH + 1) * FRAME_BATCH); /* the shared list only every FRAME_BATCH */
		EXPECT_EQ(mine->n, FRAME_BATCH - 1 - i % FRAME_BATCH);
	}
	for (i = 0; i < ARRAY_SIZE(got); i++) {
		frame_free(got[i]);
		EXPECT_EQ(frame_of(got[i])->state, FRAME_FREE);
		EXPECT(mine->n <= 2 * FRAME_BATCH);
		EXPECT_EQ((before - fs->small.n) % FRAME_BATCH, 0);
		EXPECT_EQ(frames_free_now(), before - ARRAY_SIZE(got) + i + 1);
	}
	EXPECT_EQ(load_relaxed(&fs->lock.held), 0);
}

/* CPUs that allocate and free in any order, also what another one allocated. */
UNIT_TEST(frames_as_an_array)
{
	const struct frames_state *fs = &machine.mm.frames;
	static u64 small[8192], large[64];
	u64 nr_small = 0, nr_large = 0, i;
	unsigned round, leaning = 0;
	struct pa pa;

	usual_memory();
	EXPECT(!begin("32"));
	for (round = 0, seed = 6; round < 200000 && !unit_failures(); round++) {
		host_cpu = &machine.cpu[random_of(&seed, CPUS)];
		if (round % 3000 == 0) /* mostly taking for a while, then mostly giving: from empty to full and back */
			leaning = leaning == 2 ? 8 : 2;
		if (random_of(&seed, 10) < leaning) {
			pa = frame_alloc(FRAME_DATA);
			if (!pa_is_none(pa)) {
				expect_fresh(pa.raw, PAGE_SIZE);
				small[nr_small++] = pa.raw;
			}
		} else if (nr_small) {
			i = random_of(&seed, nr_small);
			give_back(small[i], PAGE_SIZE);
			small[i] = small[--nr_small];
		}
		if (random_of(&seed, 2)) {
			pa = frame_alloc_large();
			EXPECT_EQ(pa_is_none(pa), nr_large == fs->total_large);
			if (!pa_is_none(pa)) {
				expect_fresh(pa.raw, LARGE_SIZE);
				large[nr_large++] = pa.raw;
			}
		} else if (nr_large) {
			i = random_of(&seed, nr_large);
			give_back(large[i], LARGE_SIZE);
			large[i] = large[--nr_large];
		}
		EXPECT_EQ(frames_free_now() + nr_small, fs->total_small);
		EXPECT_EQ(fs->large.n + nr_large, fs->total_large);
	}
	while (nr_small)
		give_back(small[--nr_small], PAGE_SIZE);
	while (nr_large)
		give_back(large[--nr_large], LARGE_SIZE);
	expect_all_to_be_had(fs->total_small, fs->total_large);
}

static void expect_refused(u64 pa)
{
	EXPECT_CHECK(frame_free(PA(pa)));
}

UNIT_TEST(frames_that_are_not_the_callers_to_free)
{
	struct pa pa, large;

	usual_memory();
	EXPECT(!begin("16"));
	pa = frame_alloc(FRAME_DATA);
	large = frame_alloc_large();
	frame_free(pa);
	expect_refused(pa.raw);
	expect_refused(large.raw + PAGE_SIZE); /* inside a large one */
	frame_free(large);
	expect_refused(large.raw);
	expect_refused((u64)((char *)machine.mm.frames.meta - memory)); /* the array */
	expect_refused(0);
	expect_refused(MEMORY);
	expect_refused(PA_NONE.raw);
	frame_of(frame_alloc(FRAME_DATA))->state = FRAME_FREE; /* somebody forgot it */
	expect_all_to_be_had(machine.mm.frames.total_small - 1, machine.mm.frames.total_large);
}

/* A frame on a free list that is not marked free was in use: never handed out. */
UNIT_TEST(frames_marked_wrong_are_not_handed_out)
{
	usual_memory();
	EXPECT(!begin("16"));
	frame_free(frame_alloc(FRAME_DATA));
	machine.cpu[0].frames.list.first->state = FRAME_QUARANTINED;
	EXPECT_CHECK(frame_alloc(FRAME_DATA));
	machine.mm.frames.large.first->state = FRAME_DATA;
	EXPECT_CHECK(frame_alloc_large());
}
