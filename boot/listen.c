/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * After the end record the kernel listens for lines `resend N,N-M`, with numbers of records, and sends these again, then the end
 * record. Each second without a request it repeats the end record: that says how many records there are, and must not be what is
 * lost. The receiver is polled, and nobody does while something is sent: nothing is sent while a request comes in. No state.
 */
#include "arch/clock.h"
#include "arch/platform.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/words.h"
#include "machine.h"

#define REQUEST_MAX 128 /* characters */
#define FIFO_MAX 256 /* of any UART; one that isn't there always has a byte */

/* N or N-M. */
static bool parse_range(const char *text, size_t n, u64 *first, u64 *last)
{
	const char *one;
	size_t length;

	if (!piece_of(text, n, '-', 0, &one, &length) || !parse_uint(one, length, first))
		return false;
	*last = *first;
	if (piece_of(text, n, '-', 1, &one, &length) && !parse_uint(one, length, last))
		return false;
	return !piece_of(text, n, '-', 2, &one, &length);
}

/* Sends what the line asks for; false: nothing of it, as something in it is wrong. */
static bool serve(const char *line, size_t n)
{
	size_t length, list_length;
	const char *list, *one;
	u64 first, last;
	unsigned i;

	if (!piece_of(line, n, ' ', 0, &one, &length) || !word_is(one, length, "resend") ||
	    !piece_of(line, n, ' ', 1, &list, &list_length) || piece_of(line, n, ' ', 2, &one, &length))
		return false;
	for (i = 0; piece_of(list, list_length, ',', i, &one, &length); i++)
		if (!parse_range(one, length, &first, &last))
			return false;
	for (i = 0; piece_of(list, list_length, ',', i, &one, &length); i++)
		if (parse_range(one, length, &first, &last))
			records_send(first, last);
	return true;
}

void listen_forget(void)
{
	for (unsigned i = 0; i < FIFO_MAX && platform_console_read() >= 0; i++)
		;
}

void listen_for_requests(u64 seconds)
{
	u64 second = clock_info()->khz * 1000, until = clock_now() + seconds * second, next = clock_now() + second;
	char line[REQUEST_MAX];
	size_t n = 0;
	int c;

	while (seconds && clock_now() < until) {
		c = platform_console_read();
		if (c == '\r' || c == '\n') {
			if (n && serve(line, n))
				until = clock_now() + seconds * second;
			else if (n)
				kprintf("resend: accepted is resend N,N-M with numbers of records\n");
			next = n ? clock_now() : next;
			n = 0;
		} else if (c >= 0) {
			if (n < REQUEST_MAX)
				line[n++] = (char)c;
			next = MAX(next, clock_now() + second / 4);
		}
		if (clock_now() >= next) {
			record_repeat();
			next = clock_now() + second;
		}
	}
}
