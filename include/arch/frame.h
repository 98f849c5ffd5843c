/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: physical frames as the kernel sees them, through a permanent direct map that is never under test.
 */
#ifndef ARCH_FRAME_H
#define ARCH_FRAME_H

#include "types.h"

/* The contents of a frame of managed memory. */
void *frame_contents(struct pa pa);

/* Store `value` into each 8-byte word of `bytes` bytes (a multiple of 4 KiB) from pa. */
void frame_fill(struct pa pa, u64 bytes, u64 value);

#endif
