/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands of TLBI, as pure functions. (Arm ARM, TLBI VAE1 and TLBI RVAE1 and their kin; FEAT_TTL, FEAT_TLBIRANGE)
 *
 *	page	63:48 ASID   47:44 TTL: 47:46 granule, 45:44 level   43:0 VA[55:12], whatever the granule
 *	range	63:48 ASID   47:46 TG: granule   45:44 SCALE   43:39 NUM   38:37 TTL: level   36:0 VA[48:12]
 *	ASID	63:48 ASID
 *
 * Granule 1 is 4 KiB, the only one here; 52-bit addresses (TCR.DS) are off. A range is (NUM + 1) << (5 * SCALE + 1) pages, so at
 * most 2^21, and an even number. With ASIDs of 8 bits 63:56 are 0: the caller's ASIDs have no more. Forms for any ASID take 0.
 *
 * `level`: what is invalidated are leaves of this level and nothing else: 1..3, and start and size are multiples of theirs; or 0
 * where that is not known, and where tables are freed. With a wrong one nothing has to be invalidated at all.
 */
#ifndef ARCH_ARM64_TLBI_H
#define ARCH_ARM64_TLBI_H

#include "types.h"

#define TLBI_RANGE_MAX (1ull << 21) /* pages of the largest range */
#define TLBI_GRANULE_4K 1ull
#define TLBI_PAGE_VA ((1ull << 44) - 1) /* VA[55:12] */

/* ASIDE1: all that is not global under one ASID. */
static inline u64 tlbi_asid(unsigned asid)
{
	return (u64)asid << 48;
}

/* Of leaves of 1 << stride_shift bytes: 3, 2, 1; 0, not known, of any other size. */
unsigned tlbi_level(unsigned stride_shift);

/* VAE1, VALE1, VAAE1, VAALE1: one page, or the block or table that va is in. */
static inline u64 tlbi_page(unsigned asid, unsigned level, struct va va)
{
	u64 ttl = level ? TLBI_GRANULE_4K << 2 | level : 0;

	return tlbi_asid(asid) | ttl << 44 | (va.raw >> 12 & TLBI_PAGE_VA);
}

/* RVAE1, RVALE1, RVAAE1, RVAALE1. */
u64 tlbi_range(unsigned asid, unsigned level, unsigned scale, unsigned num, struct va va);

struct tlbi {
	bool range; /* a range form, else a page form */
	u64 operand;
};

/*
 * The next of those that cover *pages > 0 pages of 4 KiB from *start; both are moved on behind what it covers. An odd count has one
 * page form in it, the last; up to TLBI_RANGE_MAX pages take five at most.
 */
struct tlbi tlbi_next(struct va *start, u64 *pages, unsigned asid, unsigned level);

#endif
