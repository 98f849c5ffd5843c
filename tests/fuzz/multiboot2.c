/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/multiboot2.c boot/efi_map.c boot/mem_map.c tests/unit/host/firmware.c */
/* The input is multiboot2 information. */
#include "boot_info.h"
#include "fuzz.h"

void fuzz(const u8 *data, size_t n)
{
	static struct boot_info info;
	u8 *copy = unit_exact(data, n);

	multiboot2_parse(copy, n, &info);
	free(copy); /* nothing may point into it */
	expect_sane_boot_info(&info);
}
