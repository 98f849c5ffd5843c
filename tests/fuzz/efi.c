/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/efi*.c boot/fdt*.c third_party/libfdt/?*.c boot/hw_info.c boot/mem_map.c tests/unit/host/firmware.c
 * tests/fuzz/host/memory.c */
/* The input is memory; what the EFI stub hands over is where its first piece is. */
#include "fuzz.h"

void fuzz(const u8 *data, size_t n)
{
	static struct boot_info info;
	static struct hw_info hw;
	unsigned nr;
	struct blob *piece = fuzz_memory(data, n, &nr);

	memset(&hw, 0, sizeof(hw));
	efi_parse(PA(nr ? piece[0].pa : 0), phys_read, &info, &hw);
	phys_free_reads();
	expect_sane_boot_info(&info);
	EXPECT(hw.nr_cpus <= MAX_CPUS && hw.nr_redists <= MAX_REDISTS);
}
