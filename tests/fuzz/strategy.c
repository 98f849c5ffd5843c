/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/shootdown/?*.c mm/asid/?*.c mm/frame.c mm/switch.c tests/sabotage/?*.c arch/x86/pte.c lib/boot_memory.c lib/counter.c
 * lib/printf.c lib/words.c boot/options.c boot/option_values.c smp/cpumask.c smp/lock.c tests/unit/host/composed.c */
/*
 * The input is a strategy: a word of the command line, which is printable ASCII by then. Its first byte says whether sabotages are
 * allowed.
 */
#include "fuzz.h"
#include "host/composed.h"

void fuzz(const u8 *data, size_t n)
{
	static struct strategy s;
	char error[600] = "", text[600];
	bool good;

	if (!n)
		return;
	char *spec = unit_exact(data + 1, n - 1);

	for (size_t i = 0; i < n - 1; i++)
		if (spec[i] <= ' ' || spec[i] > '~')
			spec[i] = (char)('!' + (u8)spec[i] % ('~' - '!' + 1));
	good = strategy_compose(&s, spec, n - 1, data[0] & 1, error, sizeof(error));
	free(spec);
	EXPECT(good == !*error && !strchr(error, '\n'));
	if (!good)
		return;
	expect_whole(&s);
	strategy_describe(&s, text, sizeof(text));
	EXPECT(strlen(text) < sizeof(text) - 1);
}
