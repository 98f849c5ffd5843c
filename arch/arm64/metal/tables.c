/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's own tables, TTBR1's: the image by section, the direct map, device windows, stacks, the root entries of KERNEL_MAP.
 * Built by the boot CPU before others start; afterwards only pages are added that were not valid. State: the tables; final_root;
 * the pool. Invariant: but for head.S's own tables nothing is both writable and executable, nothing here is a user page, all
 * global.
 *
 * The loader leaves nothing mapped, so the first tables come from a pool in the image, where they can be reached, and map the
 * memory that boot_alloc() gives the next ones from. The root that the CPU starts with shares all windows with the final one.
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/frame.h"
#include "arch/platform.h"
#include "arch/pte.h"
#include "boot_info.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "machine.h"

extern char image_start[], image_rodata[], image_data[], image_end[];

#define POOL 32 /* tables: the root, and three levels for some ten places */
#define KERNEL_RW (PROT_READ | PROT_WRITE | PROT_GLOBAL)

static char pool[POOL][PAGE_SIZE] __attribute__((aligned(PAGE_SIZE)));
static unsigned pool_used;

void *frame_contents(struct pa pa)
{
	return (void *)(DIRECT_MAP + pa.raw);
}

void frame_fill(struct pa pa, u64 bytes, u64 value)
{
	u64 *word = frame_contents(pa);

	for (u64 i = 0; i < bytes / sizeof(*word); i++)
		word[i] = value;
}

struct pa platform_image_start(void)
{
	return PA(image_pa);
}

struct pa platform_image_end(void)
{
	return PA((u64)image_end - IMAGE_MAP + image_pa);
}

struct pa platform_kernel_root(void)
{
	return PA(final_root);
}

void platform_copy_kernel_half(struct pa root)
{
	(void)root;
}

static struct pa image_address(const void *p)
{
	return PA((u64)p - IMAGE_MAP + image_pa);
}

static struct pa table_alloc(void)
{
	return pool_used < POOL ? image_address(pool[pool_used++]) : boot_alloc(PAGE_SIZE, PAGE_SIZE);
}

/* A slot of a table that may be in the image, before that is in the direct map. */
static struct pte_slot *slot_in(struct pa table, unsigned index)
{
	u64 offset = table.raw - image_pa;

	if (offset < (u64)image_end - IMAGE_MAP)
		return (struct pte_slot *)(IMAGE_MAP + offset) + index;
	return pte_slot(table, index);
}

/* The slot for va at `level`, with the tables above it. */
static struct pte_slot *slot_of(struct pa root, struct va va, unsigned level)
{
	struct pa table = root;

	for (unsigned l = PT_LEVELS - 1; l > level; l--) {
		struct pte_slot *slot = slot_in(table, pt_index(va, l));

		if (pte_is_none(pte_read(slot)))
			pte_install(slot, pte_table(table_alloc()));
		CHECK(pte_is_table(pte_read(slot), l));
		table = pte_pa(pte_read(slot), l);
	}
	return slot_in(table, pt_index(va, level));
}

/* In use now: before final_root is there, head.S's. */
static struct pa root_now(void)
{
	return final_root ? PA(final_root) : image_address(boot_root);
}

/* [va, va + bytes) to pa, in 2 MiB blocks where both are aligned. What is mapped already stays. */
static void map(struct va va, struct pa pa, u64 bytes, unsigned prot)
{
	while (bytes) {
		unsigned level = !((va.raw | pa.raw) & (LARGE_SIZE - 1)) && bytes >= LARGE_SIZE;
		u64 size = 1ull << pt_shift(level);

		pte_install(slot_of(root_now(), va, level), pte_leaf(pa, prot, level));
		va = va_add(va, size);
		pa = pa_add(pa, size);
		bytes -= size;
	}
}

/* Mapped for reading, in 2 MiB blocks: firmware's data are in normal memory. */
const void *platform_boot_bytes(struct pa pa, u64 bytes)
{
	u64 start = ALIGN_DOWN(pa.raw, LARGE_SIZE), end = ALIGN_UP(pa.raw + bytes, LARGE_SIZE);

	if (pa.raw >= DIRECT_MAP_BYTES || bytes > DIRECT_MAP_BYTES - pa.raw || !pa.raw || final_root)
		return NULL;
	map(VA(DIRECT_MAP + start), PA(start), end - start, KERNEL_RW);
	return frame_contents(pa);
}

static void map_image(const char *start, const char *end, unsigned prot)
{
	u64 stacks = (u64)boot_stacks;

	for (u64 va = (u64)start; va < (u64)end; va += PAGE_SIZE) {
		u64 in = va - stacks;
		bool guard = in < STACKS_BYTES && (in < STACK_TOP - STACK_BYTES ||
						   (in >= STACK_TOP && in < STACK_TOP_OVERFLOW - STACK_BYTES));

		if (!guard)
			pte_install(slot_of(PA(final_root), VA(va), 0), pte_leaf(image_address((void *)va), prot | PROT_GLOBAL, 0));
	}
}

/* What the firmware reserves is not mapped. A block that platform_boot_bytes() has mapped may hold some of it, until the end. */
static void map_direct(const struct mem_range *r)
{
	u64 start = ALIGN_UP(r->start.raw, PAGE_SIZE), end = ALIGN_DOWN(r->end.raw, PAGE_SIZE);
	u64 at, next;

	if (r->kind == MEM_RESERVED || r->end.raw > DIRECT_MAP_BYTES)
		return;
	for (at = start; at < end; at = next) {
		/* Block by block: some are there already. */
		next = MIN(ALIGN_DOWN(at, LARGE_SIZE) + LARGE_SIZE, end);
		if (!pte_is_leaf(pte_read(slot_of(root_now(), VA(DIRECT_MAP + at), 1)), 1))
			map(VA(DIRECT_MAP + at), PA(at), next - at, KERNEL_RW);
	}
}

const char *platform_memory_init(const struct mem_map *mem)
{
	struct pa boot = root_now(), root;

	slot_of(boot, VA(DIRECT_MAP), 0);
	slot_of(boot, VA(DEVICE_MAP), 0);
	slot_of(boot, VA(STACK_MAP), 0);
	/* The image first: the pool's tables are in it. */
	map(VA(DIRECT_MAP + image_pa), PA(image_pa), ALIGN_UP((u64)image_end - IMAGE_MAP, LARGE_SIZE), KERNEL_RW);
	for (unsigned i = 0; i < mem->nr; i++)
		map_direct(&mem->range[i]);
	/* Root entries never change from here on: those of all windows exist. */
	root = table_alloc();
	for (unsigned i = 0; i < PT_ENTRIES; i++)
		if (i != pt_index(VA(IMAGE_MAP), PT_LEVELS - 1))
			pte_install(slot_in(root, i), pte_read(slot_in(boot, i)));
	final_root = root.raw;
	for (u64 va = KERNEL_MAP_START; va < KERNEL_MAP_END; va += 1ull << pt_shift(PT_LEVELS - 1))
		slot_of(root, VA(va), PT_LEVELS - 2);
	map_image(image_start, image_rodata, PROT_READ | PROT_EXEC);
	map_image(image_rodata, image_data, PROT_READ);
	map_image(image_data, image_end, PROT_READ | PROT_WRITE);
	switch_kernel_root(final_root, image_pa);
	return NULL;
}

void *device_map(struct pa pa, u64 bytes)
{
	u64 offset = pa.raw & (PAGE_SIZE - 1), va = machine.arch.device_next;

	bytes = ALIGN_UP(offset + bytes, PAGE_SIZE);
	map(VA(va), PA(pa.raw - offset), bytes, KERNEL_RW | PROT_DEVICE);
	machine.arch.device_next += bytes;
	return (void *)(va + offset);
}

static void map_stack(u64 top)
{
	for (u64 va = top - STACK_BYTES; va < top; va += PAGE_SIZE)
		pte_install(slot_of(root_now(), VA(va), 0), pte_leaf(boot_alloc(PAGE_SIZE, PAGE_SIZE), KERNEL_RW, 0));
}

void stacks_map(unsigned block)
{
	u64 base = STACK_MAP + (u64)block * STACKS_BYTES;

	map_stack(base + STACK_TOP);
	map_stack(base + STACK_TOP_OVERFLOW);
}
