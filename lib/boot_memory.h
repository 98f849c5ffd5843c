/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory before mm/ manages frames: every floor may want some at the start. Contiguous, zeroed, never given back. What is left goes
 * to frames_init(), and afterwards there is none.
 */
#ifndef LIB_BOOT_MEMORY_H
#define LIB_BOOT_MEMORY_H

#include "boot_info.h"

struct boot_memory {
	struct mem_range free[MAX_MEM_RANGES]; /* whole pages, sorted, disjoint */
	unsigned nr;
};

/* The usable ranges of `map` above 1 MiB, without the kernel's image. Before the first boot_alloc(). */
void boot_alloc_init(const struct mem_map *map, struct pa image_start, struct pa image_end);

/*
 * `bytes` rounded up to whole pages, at a multiple of `align` (a power of two; at least a page). Ends the run if there is no such
 * piece.
 */
struct pa boot_alloc(u64 bytes, u64 align);

/* From now on only memory that is in `wanted`, too. */
void boot_alloc_keep(const struct mem_map *wanted);

#endif
