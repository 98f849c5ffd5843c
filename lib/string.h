/* SPDX-License-Identifier: BSD-2-Clause */
/* The few C library functions that freestanding C and the compiler need. lib/string.c is compiled for metal only. */
#ifndef LIB_STRING_H
#define LIB_STRING_H

#include <stddef.h>

void *memset(void *p, int c, size_t n);
void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
size_t strnlen(const char *s, size_t n);
void *memchr(const void *p, int c, size_t n);
char *strrchr(const char *s, int c);

#endif
