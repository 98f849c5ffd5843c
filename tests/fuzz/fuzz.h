/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzz targets: tests/fuzz/NAME.c for libFuzzer, with the kernel's own sources under ASan and UBSan. As in unit.h a comment says
 * which (`units: ...`), and EXPECT what must hold of what came out; here the first failure ends the run; libFuzzer keeps the input:
 *
 *	make fuzz TARGET=NAME TIME=60		seconds; also RUNS=1000000, ARGS=FILE for one input again
 *	make fuzz				lists the targets
 *
 * tests/fuzz/corpus/NAME/ has inputs to begin with; what is found on the way goes to build/fuzz/NAME.corpus/.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "host/firmware.h"
#include "unit.h"

/* One input. `machine` is as at the start of a unit test for the first one, and as the one before left it for others. */
void fuzz(const u8 *data, size_t n);

/*
 * Physical memory, for phys_read(), out of an input: pieces one after the other, each 8 bytes of address, 2 of length, and so many
 * bytes. Returns them; how many, at most FUZZ_PIECES, in *nr.
 */
#define FUZZ_PIECES 12
struct blob *fuzz_memory(const u8 *data, size_t n, unsigned *nr);

/* Numbers out of an input, from its beginning; 0 when it has no more. */
struct fuzz_input {
	const u8 *data;
	size_t n;
};
u64 fuzz_take(struct fuzz_input *in, unsigned bytes);

/* The input as text with its terminator; free with free(). */
char *fuzz_text(const u8 *data, size_t n);

#endif
