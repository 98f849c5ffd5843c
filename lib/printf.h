/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formatted text. Conversions: %s %.*s %c %d %i %u %x %lld %llu %llx %zu %p %% with flags 0 and -, and width (also *). Nothing
 * else, and no floats: fixed point is the caller's. Never %n.
 */
#ifndef LIB_PRINTF_H
#define LIB_PRINTF_H

#include <stdarg.h>

#include "types.h"

/* As C99 vsnprintf: returns the length it would have had; always terminates if size > 0. */
size_t kvsnprintf(char *buf, size_t size, const char *fmt, va_list args);
size_t ksnprintf(char *buf, size_t size, const char *fmt, ...) PRINTF(3, 4);

/* Appends to the string in buf (size bytes in all); what does not fit is cut. */
void ksnprintf_append(char *buf, size_t size, const char *fmt, ...) PRINTF(3, 4);

/* A line for humans on the console (dropped when output=records). One CPU at a time; never in a measured section. */
void kprintf(const char *fmt, ...) PRINTF(1, 2);

/* What output= says: are records sent? Before the command line is known: yes. */
bool output_records(void);

/* Text as it stands, but \n becomes \r\n. For kprintf and the records; everybody else uses those. */
void console_write(const char *text, size_t n);

#endif
