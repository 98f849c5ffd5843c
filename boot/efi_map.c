/* SPDX-License-Identifier: BSD-2-Clause */
/* UEFI's memory descriptors (UEFI Specification 2.10, 7.2: types, GetMemoryMap()). Pure. */
#include "boot/efi_map.h"

#define EFI_PAGE 4096
#define WRITE_BACK (1u << 3)
#define SPECIFIC_PURPOSE (1u << 18)

/*
 * Loader and boot services memory is free: whoever loaded us has left boot services, and what is handed over is copied before
 * memory is handed out. What can't be cached as the kernel's tables have it is no memory for us.
 */
static enum mem_kind kind_of(u32 type, u64 attributes)
{
	if (!(attributes & WRITE_BACK) || attributes & SPECIFIC_PURPOSE)
		return MEM_RESERVED;
	switch (type) {
	case 1: /* EfiLoaderCode */
	case 2: /* EfiLoaderData */
	case 3: /* EfiBootServicesCode */
	case 4: /* EfiBootServicesData */
	case 7: /* EfiConventionalMemory */
		return MEM_USABLE;
	case 9: /* EfiACPIReclaimMemory */
	case 10: /* EfiACPIMemoryNVS */
		return MEM_ACPI;
	default:
		return MEM_RESERVED;
	}
}

struct mem_range efi_range(struct bytes descriptor)
{
	u64 start = bytes_get64(descriptor, 8), pages = bytes_get64(descriptor, 24);
	u64 end = pages > ~0ull / EFI_PAGE ? 0 : start + pages * EFI_PAGE;

	return (struct mem_range){ PA(start), PA(end), kind_of(bytes_get32(descriptor, 0), bytes_get64(descriptor, 32)) };
}
