/* SPDX-License-Identifier: BSD-2-Clause */
/* Hashes of states: 64 bits, not of cryptographic strength. Of two different states the chance is 2^-64 that they look equal. */
#ifndef SIM_HASH_H
#define SIM_HASH_H

#include "sim/model.h"

static inline u64 hash_mix(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xd6e8feb86659fd93ull);

	return (u64)product ^ (u64)(product >> 64);
}

/* Stacks too, where AddressSanitizer has its redzones. */
__attribute__((no_sanitize("address"))) static inline u64 hash_bytes(const void *bytes, size_t n, u64 h)
{
	const u8 *at = bytes;
	u64 word;

	h = hash_mix(h, n);
	for (; n >= 8; n -= 8, at += 8) {
		__builtin_memcpy(&word, at, 8);
		h = hash_mix(h, word) + word;
	}
	for (; n; n--, at++)
		h = hash_mix(h, *at) + *at;
	return h;
}

#endif
