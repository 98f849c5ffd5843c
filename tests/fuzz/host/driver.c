/* SPDX-License-Identifier: BSD-2-Clause */
/* What libFuzzer calls, and the shapes of inputs. */
#include "fuzz.h"

#include <stdarg.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	unit_world_begins();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	fuzz(data, n);
	return 0;
}

_Noreturn void unit_abort(const char *text)
{
	fprintf(stderr, "%s\n", text);
	abort();
}

void unit_fail(const char *file, int line, const char *fmt, ...)
{
	char text[1000];
	va_list args;
	int n = snprintf(text, sizeof(text), "%s:%d: ", file, line);

	va_start(args, fmt);
	vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, args);
	va_end(args);
	unit_abort(text);
}

u64 fuzz_take(struct fuzz_input *in, unsigned bytes)
{
	u64 value = 0;
	unsigned i;

	for (i = 0; i < bytes && in->n; i++, in->data++, in->n--)
		value |= (u64)*in->data << 8 * i;
	return value;
}

char *fuzz_text(const u8 *data, size_t n)
{
	char *text = malloc(n + 1);

	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	return text;
}
