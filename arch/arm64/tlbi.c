/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands of TLBI: tlbi.h. No state. */
#include "arch/arm64/tlbi.h"

#define RANGE_VA ((1ull << 37) - 1) /* VA[48:12] */
#define MAX_SCALE 3
#define MAX_UNITS 32 /* NUM + 1 */

unsigned tlbi_level(unsigned stride_shift)
{
	switch (stride_shift) {
	case 12:
		return 3;
	case 21:
		return 2;
	case 30:
		return 1;
	default:
		return 0;
	}
}

u64 tlbi_range(unsigned asid, unsigned level, unsigned scale, unsigned num, struct va va)
{
	u64 fields = TLBI_GRANULE_4K << 46 | (u64)scale << 44 | (u64)num << 39 | (u64)level << 37;

	return tlbi_asid(asid) | fields | (va.raw >> 12 & RANGE_VA);
}

/* Pages of one unit of NUM. */
static u64 unit(unsigned scale)
{
	return 1ull << (5 * scale + 1);
}

/*
 * The largest scale first; of the others fewer than 32 units are left then. 32 of the largest are one range: masking the count to
 * NUM's 5 bits before 1 is subtracted would take them for none (Linux e3ba51ab24fd).
 */
struct tlbi tlbi_next(struct va *start, u64 *pages, unsigned asid, unsigned level)
{
	struct va va = *start;
	unsigned scale = MAX_SCALE;
	u64 units;

	if (*pages == 1) {
		*pages = 0;
		*start = va_add(va, 1 << 12);
		return (struct tlbi){ .operand = tlbi_page(asid, level, va) };
	}
	while (unit(scale) > *pages)
		scale--;
	units = MIN(*pages / unit(scale), (u64)MAX_UNITS);
	*pages -= units * unit(scale);
	*start = va_add(va, units * unit(scale) << 12);
	return (struct tlbi){ .range = true, .operand = tlbi_range(asid, level, scale, (unsigned)units - 1, va) };
}
