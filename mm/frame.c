/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical frames. State: machine.mm.frames (lists under its lock) and the cache of each CPU (the owner's alone; allocation and
 * freeing happen in normal context and in page faults of that context, never in an interrupt).
 *
 * Invariant: a frame is on exactly one list or in use; struct frame.state says which.
 */
#include "arch/frame.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "machine.h"
#include "mm/frame.h"
#include "option.h"

OPTION(frames, .kind = OPTION_UINT, .accepts = "MiB", .def = "256", .min = 16, .max = 65536,
       .help = "memory for address spaces under test; less if the machine has less");

#define LARGE_FRAMES (LARGE_SIZE / PAGE_SIZE)
#define MAX_LARGE 64 /* 2 MiB frames set apart at most; at most a quarter of the memory */
#define MIN_FRAMES (8ull << (20 - PAGE_SHIFT))

struct frame *frame_of(struct pa pa)
{
	u64 number = pa.raw / PAGE_SIZE - machine.mm.frames.base;

	CHECK(number < machine.mm.frames.n);
	return &machine.mm.frames.meta[number];
}

struct pa frame_pa(const struct frame *f)
{
	return PA((machine.mm.frames.base + (u64)(f - machine.mm.frames.meta)) * PAGE_SIZE);
}

/* Hands frames of [start, end) out to the lists, up to *want of them. */
static void frames_add(u64 start, u64 end, u64 *want, u64 *want_large)
{
	struct frames_state *fs = &machine.mm.frames;
	u64 at = start;

	while (at < end && *want) {
		struct frame *f = frame_of(PA(at));

		if (*want_large && !(at % LARGE_SIZE) && at + LARGE_SIZE <= end && *want >= LARGE_FRAMES) {
			f->large = true;
			f->state = FRAME_FREE;
			frame_list_push(&fs->large, f);
			at += LARGE_SIZE;
			*want -= LARGE_FRAMES;
			(*want_large)--;
		} else {
			f->state = FRAME_FREE;
			frame_list_push(&fs->small, f);
			at += PAGE_SIZE;
			(*want)--;
		}
	}
}

const char *frames_init(void)
{
	struct frames_state *fs = &machine.mm.frames;
	struct boot_memory *early = &machine.boot_memory;
	u64 want = option_uint(&option_frames) << (20 - PAGE_SHIFT), want_large, have = 0, first = ~0ull, last = 0, bytes, i;

	/* Ranges are sorted: the lowest ones that together hold `want`, so that the array of struct frame spans little. */
	for (i = 0; i < early->nr && have < want; i++) {
		u64 pages = (early->free[i].end.raw - early->free[i].start.raw) / PAGE_SIZE;

		first = MIN(first, early->free[i].start.raw);
		last = MAX(last, early->free[i].start.raw + MIN(pages, want - have) * PAGE_SIZE);
		have += MIN(pages, want - have);
	}
	if (have < MIN_FRAMES)
		return "too little memory: 8 MiB must be left for address spaces; tlblab wants 64 MiB and 1 MiB for each CPU";
	/* The array itself comes out of the same ranges. */
	last += ALIGN_UP((last - first) / PAGE_SIZE * sizeof(struct frame), PAGE_SIZE) + LARGE_SIZE;
	fs->base = first / PAGE_SIZE;
	fs->n = (last - first) / PAGE_SIZE;
	bytes = fs->n * sizeof(struct frame);
	fs->meta = frame_contents(boot_alloc(bytes, PAGE_SIZE));
	for (i = 0; i < fs->n; i++)
		fs->meta[i].state = FRAME_RESERVED;
	want = have;
	want_large = MIN(want / 4 / LARGE_FRAMES, MAX_LARGE);
	for (i = 0; i < early->nr; i++)
		frames_add(MIN(early->free[i].start.raw, last), MIN(early->free[i].end.raw, last), &want, &want_large);
	early->nr = 0; /* boot_alloc() has nothing left to give */
	fs->total_small = fs->small.n;
	fs->total_large = fs->large.n;
	return NULL;
}

static void move(struct frame_list *from, struct frame_list *to, u64 n)
{
	struct frame *f;

	while (n-- && (f = frame_list_pop(from)))
		frame_list_push(to, f);
}

struct pa frame_alloc(enum frame_state state)
{
	struct frames_state *fs = &machine.mm.frames;
	struct frame_list *mine = &this_cpu()->frames.list;
	struct frame *f;

	if (!mine->n) {
		lock_take(&fs->lock, "the lock of the free frames");
		move(&fs->small, mine, FRAME_BATCH);
		lock_release(&fs->lock);
	}
	f = frame_list_pop(mine);
	if (!f)
		return PA_NONE;
	CHECK(f->state == FRAME_FREE);
	f->state = state;
	return frame_pa(f);
}

struct pa frame_alloc_large(void)
{
	struct frames_state *fs = &machine.mm.frames;
	struct frame *f;

	lock_take(&fs->lock, "the lock of the free frames");
	f = frame_list_pop(&fs->large);
	lock_release(&fs->lock);
	if (!f)
		return PA_NONE;
	CHECK(f->state == FRAME_FREE);
	f->state = FRAME_DATA;
	return frame_pa(f);
}

static void put_large(struct frame *f)
{
	struct frames_state *fs = &machine.mm.frames;

	lock_take(&fs->lock, "the lock of the free frames");
	frame_list_push(&fs->large, f);
	lock_release(&fs->lock);
}

void frame_put(struct frame *f)
{
	struct frames_state *fs = &machine.mm.frames;
	struct frame_list *mine = &this_cpu()->frames.list;

	CHECK(f->state != FRAME_FREE && f->state != FRAME_RESERVED);
	f->state = FRAME_FREE;
	if (f->large) {
		put_large(f);
		return;
	}
	frame_list_push(mine, f);
	if (mine->n > 2 * FRAME_BATCH) {
		lock_take(&fs->lock, "the lock of the free frames");
		move(mine, &fs->small, FRAME_BATCH);
		lock_release(&fs->lock);
	}
}

void frame_free(struct pa pa)
{
	frame_put(frame_of(pa));
}

u64 frames_free_now(void)
{
	u64 n = machine.mm.frames.small.n;
	unsigned cpu;

	for_each_cpu(cpu, &machine.smp.online)
		n += machine.cpu[cpu].frames.list.n;
	return n;
}
