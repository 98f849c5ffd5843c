/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CHECK is for states that only a bug of ours can bring about. It is never compiled out and never used for input: input
 * that is wrong gets an error line and verdict "error" instead.
 */
#ifndef CHECK_H
#define CHECK_H

#include "types.h"

#define CHECK(cond)                                             \
	do {                                                    \
		if (__builtin_expect(!(cond), 0))               \
			check_failed(#cond, __FILE__, __LINE__); \
	} while (0)

_Noreturn void check_failed(const char *what, const char *file, int line);

/* Ends the run with verdict "error" after one line made of fmt. For impossible states with something to say. */
_Noreturn void panic(const char *fmt, ...) PRINTF(1, 2);

#endif
