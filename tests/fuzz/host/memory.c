/* SPDX-License-Identifier: BSD-2-Clause */
/* Physical memory out of an input. */
#include "fuzz.h"

struct blob *fuzz_memory(const u8 *data, size_t n, unsigned *nr)
{
	static struct blob piece[FUZZ_PIECES], *pieces[FUZZ_PIECES + 1];
	struct fuzz_input in = { data, n };
	unsigned i;

	for (i = 0; i < FUZZ_PIECES && in.n >= 10; i++) {
		struct blob *b = pieces[i] = &piece[i];
		u64 wanted;

		b->pa = fuzz_take(&in, 8);
		wanted = fuzz_take(&in, 2);
		b->n = MIN(wanted, MIN(in.n, sizeof(b->b)));
		memcpy(b->b, in.data, b->n);
		in.data += b->n;
		in.n -= b->n;
	}
	pieces[i] = NULL;
	phys_is(pieces);
	*nr = i;
	return piece;
}
