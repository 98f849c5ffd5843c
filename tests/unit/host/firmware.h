/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests of firmware parsers: bytes put together by hand, and physical memory made of pieces. Each read through phys_read()
 * gets its own allocation of exactly the bytes asked for, so that ASan sees a parser that looks at more.
 */
#ifndef HOST_FIRMWARE_H
#define HOST_FIRMWARE_H

#include "boot_info.h"

struct blob {
	u64 pa; /* in physical memory: where */
	size_t n;
	u8 b[32768];
};

void blob_put(struct blob *b, unsigned bytes, u64 value); /* little endian, at the end */
void blob_set(struct blob *b, size_t offset, unsigned bytes, u64 value);
u64 blob_get(const struct blob *b, size_t offset, unsigned bytes);
void blob_text(struct blob *b, const char *text, size_t n); /* at the end */
void blob_align(struct blob *b, size_t align); /* zeros */
void blob_fix_sum(struct blob *b, size_t n, size_t at); /* byte `at` so that the first n bytes add up to 0 */

/* One of the random changes that a lying firmware might be: a byte, a bit, a 32-bit field, a block moved, a piece cut off. */
void blob_mutate(struct blob *b, u64 *seed);

/* What phys_read() finds; NULL ends it. */
void phys_is(struct blob *const *pieces);
const void *phys_read(struct pa pa, u64 bytes);
void phys_free_reads(void);

/* A boot_info without error makes sense, whatever it was made of. */
void expect_sane_boot_info(const struct boot_info *info);

#endif
