/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/printf.c lib/kprintf.c lib/words.c boot/option_values.c */
/* Formatting against the host's snprintf, over many random formats and values; and what kprintf makes of it. */
#include "lib/printf.h"
#include "unit.h"

static u64 seed = 1;

static u64 any(u64 n)
{
	return random_of(&seed, n);
}

/* Numbers of every length, both ends of the range among them. */
static u64 any_value(void)
{
	static const u64 corners[] = {
		0, 1, 9, 10, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, ~0ull,
	};

	if (any(4) == 0)
		return corners[any(ARRAY_SIZE(corners))];
	return (any(1ull << 31) << 62 ^ any(1ull << 31) << 31 ^ any(1ull << 31)) >> any(64);
}

/* Flags, width and the rest of a conversion, at random; gcc cannot check these, the comparison with snprintf does. */
static void any_spec(char *spec, size_t size, const char *conversion)
{
	static const char *const flags[] = { "", "-", "0", "-0", "0-" };
	bool number = !strchr("sc.", *conversion); /* 0 with anything else is undefined */
	char width[8] = "";

	if (any(3))
		snprintf(width, sizeof(width), "%u", (unsigned)any(30) + 1);
	snprintf(spec, size, "[%%%s%s%s]", flags[any(number ? ARRAY_SIZE(flags) : 2)], width, conversion);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

#define SAME(...) /* evaluates its arguments twice */                                   \
	do {                                                                            \
		size_t n_ = ksnprintf(ours, size, __VA_ARGS__);                         \
		size_t m_ = (size_t)snprintf(theirs, size, __VA_ARGS__);                \
		EXPECT_EQ(n_, m_);                                                      \
		EXPECT_STR(ours, theirs);                                               \
	} while (0)

UNIT_TEST(printf_integers_as_the_host)
{
	static const char *const kinds[] = { "d", "i", "u", "x", "c", "lld", "llu", "llx", "zu", "lu" };
	char ours[64], theirs[64], spec[32];
	unsigned round, kind;
	size_t size;
	u64 value;

	for (round = 0; round < 200000 && !unit_failures(); round++) {
		kind = (unsigned)any(ARRAY_SIZE(kinds));
		value = any_value();
		size = 1 + any(sizeof(ours));
		any_spec(spec, sizeof(spec), kinds[kind]);
		if (kinds[kind][0] == 'c')
			SAME(spec, (int)(value % 26 + 'a'));
		else if (strlen(kinds[kind]) == 1)
			SAME(spec, (unsigned)value);
		else
			SAME(spec, (unsigned long long)value);
	}
}

UNIT_TEST(printf_strings_as_the_host)
{
	char ours[64], theirs[64], spec[32], *text;
	int width, precision;
	unsigned round;
	size_t n, size;

	for (round = 0; round < 50000 && !unit_failures(); round++) {
		n = any(40);
		text = unit_exact("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", n + 1);
		text[n] = '\0';
		any_spec(spec, sizeof(spec), any(2) ? "s" : ".7s");
		size = 1 + any(sizeof(ours));
		width = (int)any(40) - 20;
		precision = (int)any(50) - 5;
		SAME(spec, text);
		SAME("%*d|%.*s|%*s", width, (int)n, precision, text, width, "ab");
		free(text);
	}
}

/* With a precision the text need not end. */
UNIT_TEST(printf_reads_no_further_than_the_precision)
{
	char *text = unit_exact("abc", 3), ours[16];

	EXPECT_EQ(ksnprintf(ours, sizeof(ours), "%.*s", 3, text), 3);
	EXPECT_STR(ours, "abc");
	free(text);
}

UNIT_TEST(printf_special_cases)
{
	char unknown[] = "%q%";
	char ours[16] = "untouched";
	const char *nothing = any(1) ? "" : NULL; /* the compiler would see through a plain NULL */

	EXPECT_EQ(ksnprintf(ours, 0, "%s", "abc"), 3);
	EXPECT_STR(ours, "untouched");
	EXPECT_EQ(ksnprintf(ours, 1, "%s", "abc"), 3);
	EXPECT_STR(ours, "");
	ksnprintf(ours, sizeof(ours), "%p", (void *)0xabc0);
	EXPECT_STR(ours, "0xabc0");
	ksnprintf(ours, sizeof(ours), "%5p|%7p", (void *)0xabc0, (void *)0xabc0);
	EXPECT_STR(ours, "0xabc0| 0xabc0");
	ksnprintf(ours, sizeof(ours), "%s", nothing);
	EXPECT_STR(ours, "(null)");
	ksnprintf(ours, sizeof(ours), unknown);
	EXPECT_STR(ours, "%q");
}

UNIT_TEST(printf_append_is_cut)
{
	char ours[6] = "ab";

	ksnprintf_append(ours, sizeof(ours), "%d", 12);
	EXPECT_STR(ours, "ab12");
	ksnprintf_append(ours, sizeof(ours), "%d", 345);
	EXPECT_STR(ours, "ab123");
	ksnprintf_append(ours, sizeof(ours), "%d", 6);
	EXPECT_STR(ours, "ab123");
}

UNIT_TEST(kprintf_ends_lines_for_a_terminal)
{
	kprintf("a %d\nb\n\nc", 1);
	EXPECT_STR(unit_console(), "a 1\r\nb\r\n\r\nc");
}

UNIT_TEST(kprintf_cuts_a_long_line_and_ends_it)
{
	char text[600];
	const char *out;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	kprintf("%s\n", text);
	out = unit_console();
	EXPECT_EQ(strlen(out), 512); /* 511, and one for \r */
	EXPECT_STR(out + 512 - 6, "x...\r\n");
	unit_console_clear();
	kprintf("%.*s\n", 511, text); /* the first length that does not fit */
	EXPECT_STR(unit_console() + 512 - 6, "x...\r\n");
	unit_console_clear();
	kprintf("%.*s\n", 510, text);
	EXPECT_EQ(strlen(unit_console()), 512);
	EXPECT_STR(unit_console() + 512 - 3, "x\r\n");
}

UNIT_TEST(kprintf_obeys_output)
{
	unit_set_option("output", "records");
	kprintf("x\n");
	EXPECT_STR(unit_console(), "");
	EXPECT(output_records());
	unit_set_option("output", "human");
	kprintf("x\n");
	EXPECT_STR(unit_console(), "x\r\n");
	EXPECT(!output_records());
}
