/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical frames: 4 KiB from per-CPU caches (the global lock is taken once per FRAME_BATCH frames, so it is never what a benchmark
 * measures), 2 MiB from a list of their own. struct frame describes one 4 KiB frame of managed memory.
 */
#ifndef MM_FRAME_H
#define MM_FRAME_H

#include "smp/lock.h"
#include "types.h"

enum frame_state { FRAME_FREE, FRAME_DATA, FRAME_TABLE, FRAME_GATHERED, FRAME_QUARANTINED, FRAME_RESERVED };

struct frame {
	struct frame *next; /* on whatever list holds it */
	u8 state;
	bool large; /* first frame of a 2 MiB one */
};

struct frame_list {
	struct frame *first;
	u64 n;
};

#define FRAME_BATCH 64

struct frames_state {
	struct frame *meta; /* of frame number `base` onwards */
	u64 base, n; /* frame numbers */
	struct lock lock;
	struct frame_list small, large; /* not in any cache */
	u64 total_small, total_large;
};

struct frame_cache {
	struct frame_list list; /* at most 2 * FRAME_BATCH */
};

#define PA_NONE PA(~0ull)

static inline bool pa_is_none(struct pa pa)
{
	return pa.raw == ~0ull;
}

/* Hands what boot_alloc() left (at most option frames= MiB) to the allocator. NULL, or one line: too little memory. */
const char *frames_init(void);

/* PA_NONE when there are none. Contents are whatever they were. */
struct pa frame_alloc(enum frame_state state);
struct pa frame_alloc_large(void); /* 2 MiB, aligned */
void frame_free(struct pa pa); /* either kind */
void frame_put(struct frame *f); /* the same */
struct frame *frame_of(struct pa pa);
struct pa frame_pa(const struct frame *f);
u64 frames_free_now(void); /* 4 KiB frames free, caches of all CPUs included; exact when nobody allocates */

static inline void frame_list_push(struct frame_list *l, struct frame *f)
{
	f->next = l->first;
	l->first = f;
	l->n++;
}

static inline struct frame *frame_list_pop(struct frame_list *l) /* NULL when empty */
{
	struct frame *f = l->first;

	if (f) {
		l->first = f->next;
		l->n--;
	}
	return f;
}

#endif
