/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers out of bytes that somebody else wrote: little endian, any alignment. What lies outside the bytes given reads as 0, so a
 * length that was not checked gives a wrong number but never a wrong read.
 */
#ifndef BOOT_BYTES_H
#define BOOT_BYTES_H

#include "types.h"

struct bytes {
	const u8 *at; /* NULL: nothing there */
	u64 n;
};

static inline bool bytes_have(struct bytes b, u64 offset, u64 n)
{
	return offset <= b.n && n <= b.n - offset;
}

/* `size` bytes (1..8) from `offset`. */
static inline u64 bytes_get(struct bytes b, u64 offset, unsigned size)
{
	u64 value = 0;

	if (!bytes_have(b, offset, size))
		return 0;
	while (size--)
		value = value << 8 | b.at[offset + size];
	return value;
}

static inline u32 bytes_get32(struct bytes b, u64 offset)
{
	return (u32)bytes_get(b, offset, 4);
}

static inline u64 bytes_get64(struct bytes b, u64 offset)
{
	return bytes_get(b, offset, 8);
}

/* At most n bytes from offset; fewer, or none, where there are not so many. */
static inline struct bytes bytes_sub(struct bytes b, u64 offset, u64 n)
{
	if (offset >= b.n)
		return (struct bytes){ NULL, 0 };
	return (struct bytes){ b.at + offset, MIN(n, b.n - offset) };
}

/* The sum that ACPI wants to be 0. */
static inline u8 bytes_sum(struct bytes b)
{
	u8 sum = 0;
	u64 i;

	for (i = 0; i < b.n; i++)
		sum = (u8)(sum + b.at[i]);
	return sum;
}

#endif
