/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console as the rest of the kernel sees it: lines for humans, and the option that says who reads it. No state and no locks:
 * a panic must be able to print while another line is half written.
 */
#include "arch/platform.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "option.h"

enum output { OUTPUT_BOTH, OUTPUT_HUMAN, OUTPUT_RECORDS }; /* in the order of .accepts */

OPTION(output, .kind = OPTION_ENUM, .accepts = "both|human|records", .def = "both", .help = "what is written to the console");

bool output_records(void)
{
	return option_enum(&option_output) != OUTPUT_HUMAN;
}

void console_write(const char *text, size_t n)
{
	size_t line;

	while (n) {
		for (line = 0; line < n && text[line] != '\n'; line++)
			;
		platform_console_write(text, line);
		if (line == n)
			return;
		platform_console_write("\r\n", 2);
		text += line + 1;
		n -= line + 1;
	}
}

void kprintf(const char *fmt, ...)
{
	static const char cut[] = "...\n"; /* the next text starts on its own line in any case */
	char text[512];
	va_list args;
	size_t n;

	if (option_enum(&option_output) == OUTPUT_RECORDS)
		return;
	va_start(args, fmt);
	n = kvsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (n >= sizeof(text)) {
		n = sizeof(text) - 1;
		memcpy(text + sizeof(text) - sizeof(cut), cut, sizeof(cut));
	}
	console_write(text, n);
}
