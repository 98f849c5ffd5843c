/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/acpi*.c boot/hw_info.c tests/unit/host/firmware.c tests/fuzz/host/memory.c tests/unit/host/acpi_tables.c */
/* The input is memory: first the RSDP, then tables. Checksums are made right, but for inputs whose last byte is a multiple of 8. */
#include "fuzz.h"
#include "host/acpi_tables.h"

static void fix_sums(struct blob *piece, unsigned nr)
{
	unsigned i;

	for (i = 0; i < nr; i++) {
		size_t length = piece[i].n >= 8 ? blob_get(&piece[i], 4, 4) : 0;

		if (i == 0 && piece[i].n >= 20)
			blob_fix_sum(&piece[i], 20, 8);
		if (i == 0 && piece[i].n >= 36)
			blob_fix_sum(&piece[i], 36, 32);
		if (i && length >= 10 && length <= piece[i].n)
			blob_fix_sum(&piece[i], length, 9);
	}
}

void fuzz(const u8 *data, size_t n)
{
	unsigned nr;
	struct blob *piece = fuzz_memory(data, n, &nr);

	if (!n || data[n - 1] % 8)
		fix_sums(piece, nr);
	memset(&acpi_boot, 0, sizeof(acpi_boot));
	acpi_boot.rsdp = PA(nr ? piece[0].pa : 0);
	acpi_parses();
}
