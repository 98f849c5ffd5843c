/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical memory of the simulated machine, at a fixed host address. A scenario is set up once; arena_keep() makes that the state
 * to which arena_restore() returns, page by page, for the pages that were touched since.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/arena.h"
#include "sim/hash.h"
#include "sim/model.h"

#define PAGES (ARENA_BYTES / PAGE)

static u8 *kept;
static u8 touched[PAGES];
static u32 list[PAGES], nr;

void arena_init(void)
{
	void *at = mmap(ARENA, ARENA_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);

	kept = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at != ARENA || kept == MAP_FAILED) {
		perror("tlblab sim: memory of the simulated machine");
		exit(3);
	}
}

void arena_touch(u64 pa)
{
	u64 page = pa / PAGE;

	if (page < PAGES && !touched[page]) {
		touched[page] = 1;
		list[nr++] = (u32)page;
	}
}

void arena_keep(void)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		memcpy(kept + (u64)list[i] * PAGE, ARENA + (u64)list[i] * PAGE, PAGE);
		touched[list[i]] = 0;
	}
	nr = 0;
}

void arena_restore(void)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		memcpy(ARENA + (u64)list[i] * PAGE, kept + (u64)list[i] * PAGE, PAGE);
		touched[list[i]] = 0;
	}
	nr = 0;
}

u64 arena_hash(void)
{
	u64 sum = 0;
	u32 i, line;

	for (i = 0; i < nr; i++) {
		const u8 *now = ARENA + (u64)list[i] * PAGE, *was = kept + (u64)list[i] * PAGE;

		for (line = 0; line < PAGE && memcmp(now + line, was + line, PAGE - line); line += 64)
			if (memcmp(now + line, was + line, 64))
				sum += hash_bytes(now + line, 64, (u64)list[i] << 12 | line);
	}
	return sum;
}

void arena_clear(void)
{
	u32 i;

	for (i = 0; i < PAGES; i++)
		touched[i] = 0;
	nr = 0;
	madvise(ARENA, ARENA_BYTES, MADV_DONTNEED);
	madvise(kept, ARENA_BYTES, MADV_DONTNEED);
}
