/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The C library functions that the compiler calls by itself, and libfdt. Metal only: on the host the C library has them.
 *
 * The compiler must not recognise the loops as what they are, or it makes them calls to the very functions they are in: gcc takes
 * -fno-tree-loop-distribute-patterns for this file, clang -fno-builtin. Eight bytes at a time where both sides are aligned: big
 * areas (frames, tables of frames) are.
 */
#include "lib/string.h"
#include "types.h"

typedef u64 __attribute__((may_alias)) any64; /* whatever type the object has */

static bool aligned(const void *a, const void *b)
{
	return (((uintptr_t)a | (uintptr_t)b) & 7) == 0;
}

void *memset(void *p, int c, size_t n)
{
	u64 pattern = (u8)c * 0x0101010101010101ull;
	u8 *to = p;

	if (aligned(to, to)) {
		for (; n >= 8; n -= 8, to += 8)
			*(any64 *)to = pattern;
	}
	while (n--)
		*to++ = (u8)c;
	return p;
}

void *memcpy(void *dst, const void *src, size_t n)
{
	const u8 *from = src;
	u8 *to = dst;

	if (aligned(to, from)) {
		for (; n >= 8; n -= 8, to += 8, from += 8)
			*(any64 *)to = *(const any64 *)from;
	}
	while (n--)
		*to++ = *from++;
	return dst;
}

void *memmove(void *dst, const void *src, size_t n)
{
	const u8 *from = src;
	u8 *to = dst;

	if (to <= from || to >= from + n)
		return memcpy(dst, src, n); /* ours goes upwards, so a destination below the source is safe */
	while (n--)
		to[n] = from[n];
	return dst;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *x = a, *y = b;

	for (; n; n--, x++, y++) {
		if (*x != *y)
			return *x < *y ? -1 : 1;
	}
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++) {
		if (*a != *b)
			return (u8)*a < (u8)*b ? -1 : 1;
		if (!*a)
			return 0;
	}
	return 0;
}

void *memchr(const void *p, int c, size_t n)
{
	for (const u8 *at = p; n; n--, at++) {
		if (*at == (u8)c)
			return (void *)at;
	}
	return NULL;
}

size_t strnlen(const char *s, size_t n)
{
	const char *end = memchr(s, '\0', n);

	return end ? (size_t)(end - s) : n;
}

char *strrchr(const char *s, int c)
{
	const char *found = NULL;

	do {
		if (*s == (char)c)
			found = s;
	} while (*s++);
	return (char *)found;
}
