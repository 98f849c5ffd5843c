/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory before mm/ manages frames: the first piece that fits, taken from its start. State: machine.boot_memory, the boot CPU's
 * while nobody else runs. Invariant: its ranges are whole pages, sorted, disjoint; nothing of the image or of the first MiB is in
 * them.
 */
#include "arch/frame.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "machine.h"

#define HIGHEST (1ull << 46) /* 64 TiB: what ports map directly; no sum here overflows, whatever the firmware says */

/* Adds [start, end) without [hole_start, hole_end) to the early ranges, in whole pages. */
static void early_add(u64 start, u64 end, u64 hole_start, u64 hole_end)
{
	struct boot_memory *early = &machine.boot_memory;

	if (start < hole_end && end > hole_start) {
		early_add(start, MIN(end, hole_start), 0, 0);
		early_add(MAX(start, hole_end), end, 0, 0);
		return;
	}
	start = ALIGN_UP(MIN(start, HIGHEST), PAGE_SIZE);
	end = ALIGN_DOWN(MIN(end, HIGHEST), PAGE_SIZE);
	if (start < end && early->nr < ARRAY_SIZE(early->free))
		early->free[early->nr++] = (struct mem_range){ PA(start), PA(end), MEM_USABLE };
}

void boot_alloc_init(const struct mem_map *map, struct pa image_start, struct pa image_end)
{
	unsigned i;

	machine.boot_memory.nr = 0;
	/* The first MiB stays what it is: firmware data, and the page in which CPUs start. */
	for (i = 0; i < map->nr; i++)
		if (map->range[i].kind == MEM_USABLE)
			early_add(MAX(map->range[i].start.raw, 1ull << 20), map->range[i].end.raw, image_start.raw, image_end.raw);
}

struct pa boot_alloc(u64 bytes, u64 align)
{
	struct boot_memory *early = &machine.boot_memory;
	unsigned i;

	bytes = ALIGN_UP(bytes, PAGE_SIZE);
	align = MAX(align, PAGE_SIZE);
	for (i = 0; i < early->nr; i++) {
		struct mem_range *r = &early->free[i];
		u64 at = ALIGN_UP(r->start.raw, align);

		if (at > r->end.raw || bytes > r->end.raw - at)
			continue;
		/* What alignment skips is lost: at most 2 MiB a time, at start only. */
		r->start = PA(at + bytes);
		frame_fill(PA(at), bytes, 0);
		return PA(at);
	}
	panic("too little memory: %llu KiB more are needed in one piece; tlblab wants 64 MiB and 1 MiB for each CPU",
	      (unsigned long long)bytes / 1024);
}

void boot_alloc_keep(const struct mem_map *wanted)
{
	struct boot_memory *early = &machine.boot_memory;
	struct boot_memory *all = frame_contents(boot_alloc(sizeof(*all), PAGE_SIZE));

	*all = *early;
	early->nr = 0;
	for (unsigned i = 0; i < all->nr; i++)
		for (unsigned j = 0; j < wanted->nr; j++) {
			const struct mem_range *free = &all->free[i], *range = &wanted->range[j];

			early_add(MAX(free->start.raw, range->start.raw), MIN(free->end.raw, range->end.raw), 0, 0);
		}
}
