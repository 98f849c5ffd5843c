/* SPDX-License-Identifier: BSD-2-Clause */
/* UEFI's memory descriptors, as an EFI stub has them from firmware, or multiboot2 hands them on. */
#ifndef BOOT_EFI_MAP_H
#define BOOT_EFI_MAP_H

#include "boot/bytes.h"
#include "boot_info.h"

#define EFI_DESCRIPTOR 40 /* bytes that are read; firmware's may be longer */

/* A number of pages that overflows gives an end below the start. */
struct mem_range efi_range(struct bytes descriptor);

#endif
