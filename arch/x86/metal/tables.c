/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's own tables: the image by section, the direct map, uncached windows, stacks with guard pages, the root entries of
 * KERNEL_MAP. Built by the boot CPU before others start; afterwards only pages are added that were not present. State: the tables;
 * final_root. Invariant: nothing is both writable and executable, nothing here is a user page, all of it is global.
 */
#include "arch/frame.h"
#include "arch/platform.h"
#include "arch/pte.h"
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "boot_info.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "machine.h"

extern char image_start[], image_rodata[], image_data[], image_end[];

#define BOOT_MAPPED (4ull << 30) /* by head.S */
#define KERNEL_RW (PROT_READ | PROT_WRITE | PROT_GLOBAL)

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

const void *platform_boot_bytes(struct pa pa, u64 bytes)
{
	return pa.raw < BOOT_MAPPED && bytes <= BOOT_MAPPED - pa.raw ? frame_contents(pa) : NULL;
}

struct pa platform_image_start(void)
{
	return PA((u64)image_start - IMAGE_MAP);
}

struct pa platform_image_end(void)
{
	return PA((u64)image_end - IMAGE_MAP);
}

struct pa platform_kernel_root(void)
{
	return PA(final_root);
}

void platform_copy_kernel_half(struct pa root)
{
	for (unsigned i = PT_ENTRIES / 2; i < PT_ENTRIES; i++) {
		struct pte pte = pte_read(pte_slot(platform_kernel_root(), i));

		if (!pte_is_none(pte))
			CHECK(pte_install(pte_slot(root, i), pte));
	}
}

/* The slot for va at `level`, with the tables above it. */
static struct pte_slot *slot_of(struct va va, unsigned level)
{
	struct pa table = platform_kernel_root();

	for (unsigned l = PT_LEVELS - 1; l > level; l--) {
		struct pte_slot *slot = pte_slot(table, pt_index(va, l));

		if (pte_is_none(pte_read(slot)))
			pte_install(slot, pte_table(boot_alloc(PAGE_SIZE, PAGE_SIZE)));
		CHECK(pte_is_table(pte_read(slot), l));
		table = pte_pa(pte_read(slot), l);
	}
	return pte_slot(table, pt_index(va, level));
}

/* [va, va + bytes) to pa, in 2 MiB pages where both are aligned. What is mapped already stays. */
static void map(struct va va, struct pa pa, u64 bytes, unsigned prot)
{
	while (bytes) {
		unsigned level = !((va.raw | pa.raw) & (LARGE_SIZE - 1)) && bytes >= LARGE_SIZE;
		u64 size = 1ull << pt_shift(level);

		pte_install(slot_of(va, level), pte_leaf(pa, prot, level));
		va = va_add(va, size);
		pa = pa_add(pa, size);
		bytes -= size;
	}
}

/* By 4 KiB pages: rights change inside 2 MiB, and the guard pages of the boot CPU's stacks are left out. */
static void map_image(const char *start, const char *end, unsigned prot)
{
	u64 block = (u64)boot_stacks;

	for (u64 va = (u64)start; va < (u64)end; va += PAGE_SIZE) {
		bool guard = va == block;

		for (unsigned i = 0; i < NR_IST; i++)
			guard |= va == stack_top(block, i);
		if (!guard)
			pte_install(slot_of(VA(va), 0), pte_leaf(PA(va - IMAGE_MAP), prot | PROT_GLOBAL, 0));
	}
}

static void map_direct(const struct mem_range *r)
{
	u64 start = ALIGN_UP(r->start.raw, PAGE_SIZE), end = ALIGN_DOWN(r->end.raw, PAGE_SIZE);

	/* What lies beyond the window's end is not used: no machine has it, but a memory map may say so. */
	if (r->kind == MEM_RESERVED || r->end.raw > DIRECT_MAP_BYTES)
		return;
	if (r->kind == MEM_ACPI) { /* tables begin and end anywhere */
		start = ALIGN_DOWN(r->start.raw, PAGE_SIZE);
		end = ALIGN_UP(r->end.raw, PAGE_SIZE);
	}
	if (start < end)
		map(VA(DIRECT_MAP + start), PA(start), end - start, KERNEL_RW);
}

/* The page below 640 KiB in which CPUs start (a SIPI's vector is its number): the last usable one. boot_alloc() leaves it alone. */
static u64 choose_trampoline(const struct mem_map *mem)
{
	u64 page = 0;

	for (unsigned i = 0; i < mem->nr; i++) {
		u64 end = ALIGN_DOWN(MIN(mem->range[i].end.raw, 0xa0000ull), PAGE_SIZE);

		if (mem->range[i].kind == MEM_USABLE && end >= mem->range[i].start.raw + PAGE_SIZE)
			page = MAX(page, end - PAGE_SIZE);
	}
	return page;
}

const char *platform_memory_init(const struct mem_map *mem)
{
	machine.arch.trampoline = choose_trampoline(mem);
	if (!machine.arch.trampoline)
		return "no usable page below 640 KiB, in which other CPUs could start";
	final_root = boot_alloc(PAGE_SIZE, PAGE_SIZE).raw;
	map_image(image_start, image_rodata, PROT_READ | PROT_EXEC);
	map_image(image_rodata, image_data, PROT_READ);
	map_image(image_data, image_end, PROT_READ | PROT_WRITE);
	for (unsigned i = 0; i < mem->nr; i++)
		map_direct(&mem->range[i]);
	/* Root entries never change once an address space has copied them: these exist from the start. */
	for (u64 va = KERNEL_MAP_START; va < KERNEL_MAP_END; va += 1ull << pt_shift(PT_LEVELS - 1))
		slot_of(VA(va), PT_LEVELS - 2);
	slot_of(VA(DEVICE_MAP), 0);
	slot_of(VA(STACK_MAP), 0);
	machine.arch.device_next = DEVICE_MAP + PAGE_SIZE;
	write_cr3(final_root);
	serial_map();
	return NULL;
}

static void map_device_page(u64 va, struct pa pa)
{
	pte_install(slot_of(VA(va), 0), pte_leaf(pa, KERNEL_RW | PROT_DEVICE, 0));
}

void lapic_map(struct pa pa)
{
	map_device_page(DEVICE_MAP, pa);
}

void *device_map(struct pa pa, u64 bytes)
{
	u64 offset = pa.raw & (PAGE_SIZE - 1), va = machine.arch.device_next;

	for (u64 done = 0; done < offset + bytes; done += PAGE_SIZE) {
		map_device_page(machine.arch.device_next, PA(pa.raw - offset + done));
		machine.arch.device_next += PAGE_SIZE;
	}
	return (void *)(va + offset);
}

/* One stack, `bytes` below top. Frames need not be contiguous. */
static void map_stack(u64 top, u64 bytes)
{
	for (u64 va = top - bytes; va < top; va += PAGE_SIZE)
		pte_install(slot_of(VA(va), 0), pte_leaf(boot_alloc(PAGE_SIZE, PAGE_SIZE), KERNEL_RW, 0));
}

u64 stacks_map(unsigned block)
{
	u64 base = STACK_MAP + (u64)block * STACKS_BYTES;

	map_stack(stack_top(base, 0), STACK_BYTES);
	for (unsigned i = 1; i <= NR_IST; i++)
		map_stack(stack_top(base, i), IST_BYTES);
	return base;
}
