/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/pvh.c boot/mem_map.c tests/unit/host/firmware.c tests/fuzz/host/memory.c */
/* The input is memory; PVH start info is where its first piece is. */
#include "fuzz.h"

void fuzz(const u8 *data, size_t n)
{
	static struct boot_info info;
	unsigned nr;
	struct blob *piece = fuzz_memory(data, n, &nr);

	pvh_parse(PA(nr ? piece[0].pa : 0), phys_read, &info);
	phys_free_reads();
	expect_sane_boot_info(&info);
}
