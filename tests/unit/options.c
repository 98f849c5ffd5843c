/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/options.c boot/option_values.c lib/words.c lib/printf.c */
/* The command line: every kind of option, every error, and rubbish. The registry here is this file's. */
#include "lib/words.h"
#include "option.h"
#include "unit.h"

static const char *check_word(const char *text, size_t n)
{
	return word_is(text, n, "ipi") || word_is(text, n, "lazy") || word_is(text, n, "none") ? NULL : "ipi, lazy or none";
}

static const char *check_text(const char *text, size_t n)
{
	return n && text[0] == 't' ? NULL : "something that begins with t";
}

OPTION(repeat, .kind = OPTION_UINT, .def = "10", .min = 1, .max = 1000, .help = "rounds");
OPTION(seed, .kind = OPTION_UINT, .def = "1", .min = 0, .max = ~0ull, .help = "seed");
OPTION(idle, .kind = OPTION_ENUM, .accepts = "halt|spin|x", .def = "halt", .help = "idle");
OPTION(pages, .kind = OPTION_UINT_LIST, .def = "1,8", .min = 1, .max = 600, .help = "pages");
OPTION(cpus, .kind = OPTION_UINT_LIST, .def = "", .min = 1, .max = ~0ull, .help = "cpus");
OPTION(tlb, .kind = OPTION_WORDS, .def = "ipi,lazy", .accepts = "strategies", .check = check_word, .help = "strategies");
OPTION(tags, .kind = OPTION_WORDS, .def = "", .help = "words, not checked");
OPTION(console, .kind = OPTION_TEXT, .def = "ttyS0", .check = check_text, .help = "console");
OPTION(note, .kind = OPTION_TEXT, .def = "", .help = "any text");

static char error[512];

/* On an exact copy, so that reading past its end is seen. */
static bool parse(const char *cmdline)
{
	char *copy = unit_exact(cmdline, strlen(cmdline) + 1);
	bool ok = options_parse(copy, error, sizeof(error));

	free(copy); /* values must not point into it */
	EXPECT_EQ(ok, !*error);
	EXPECT(!strchr(error, '\n'));
	return ok;
}

UNIT_TEST(options_defaults)
{
	const char *word;
	u64 value;
	size_t n;

	EXPECT_EQ(option_uint(&option_repeat), 10); /* before parsing too */
	EXPECT(parse(""));
	EXPECT_EQ(option_uint(&option_repeat), 10);
	EXPECT_EQ(option_enum(&option_idle), 0);
	EXPECT_STR(option_text(&option_console), "ttyS0");
	EXPECT(option_list_uint(&option_pages, 1, &value) && value == 8);
	EXPECT(!option_list_uint(&option_cpus, 0, &value));
	EXPECT(option_list_word(&option_tlb, 0, &word, &n) && word_is(word, n, "ipi"));
	EXPECT(!option_list_word(&option_tags, 0, &word, &n));
	EXPECT(!option_given(&option_repeat));
	EXPECT(!machine.options.help);
	EXPECT(parse("    "));
}

UNIT_TEST(options_of_every_kind)
{
	const char *word;
	size_t n;

	EXPECT(parse("  repeat=0x10 seed=18446744073709551615 idle=x   console=tty tlb=none,ipi,none note=a=b "));
	EXPECT_EQ(option_uint(&option_repeat), 16);
	EXPECT_EQ(option_uint(&option_seed), ~0ull);
	EXPECT_EQ(option_enum(&option_idle), 2);
	EXPECT_STR(option_text(&option_console), "tty");
	EXPECT_STR(option_text(&option_note), "a=b");
	EXPECT(option_list_word(&option_tlb, 2, &word, &n) && word_is(word, n, "none"));
	EXPECT(!option_list_word(&option_tlb, 3, &word, &n));
	EXPECT(option_list_has(&option_tlb, "none") && option_list_has(&option_tlb, "ipi") && !option_list_has(&option_tlb, "non"));
	EXPECT(!option_list_has(&option_tlb, "lazy") && !option_list_has(&option_tags, ""));
	EXPECT(option_given(&option_tlb) && !option_given(&option_pages));
	EXPECT(parse("repeat=5")); /* the second line starts afresh */
	EXPECT_EQ(option_enum(&option_idle), 0);
	EXPECT(!option_given(&option_tlb));
}

UNIT_TEST(options_lists_of_numbers)
{
	static const u64 want[] = { 1, 5, 6, 7, 8, 3, 0x10, 600 };
	u64 value;
	unsigned i;

	EXPECT(parse("pages=1,5-8,3-3,0x10,600"));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		EXPECT(option_list_uint(&option_pages, i, &value));
		EXPECT_EQ(value, want[i]);
	}
	EXPECT(!option_list_uint(&option_pages, i, &value));
	EXPECT(parse("cpus=1-18446744073709551615"));
	EXPECT(option_list_uint(&option_cpus, 4294967295u, &value) && value == 4294967296);
}

UNIT_TEST(options_quotes)
{
	EXPECT(parse("note=\"a b  c\" repeat=3"));
	EXPECT_STR(option_text(&option_note), "a b  c");
	EXPECT_EQ(option_uint(&option_repeat), 3);
	EXPECT(parse("\"note=x y\" idle=spin")); /* as GRUB quotes */
	EXPECT_STR(option_text(&option_note), "x y");
	EXPECT_EQ(option_enum(&option_idle), 1);
}

UNIT_TEST(options_help)
{
	EXPECT(parse("help"));
	EXPECT(machine.options.help);
	EXPECT(parse("repeat=2 help idle=spin"));
	EXPECT(machine.options.help);
	EXPECT(parse("repeat=2"));
	EXPECT(!machine.options.help);
}

/* Each error says which word, and what is accepted. */
UNIT_TEST(options_errors)
{
	static const struct {
		const char *line, *says;
	} bad[] = {
		{ "repeat=0",
		  "command line, word 1 (repeat=0): \"0\" is not accepted, but a number from 1 to 1000" },
		{ "idle=spin repeat=1001",
		  "command line, word 2 (repeat=1001): \"1001\" is not accepted, but a number from 1 to 1000" },
		{ "repeat=ten",
		  "command line, word 1 (repeat=ten): \"ten\" is not accepted, but a number from 1 to 1000" },
		{ "repeat=-1",
		  "command line, word 1 (repeat=-1): \"-1\" is not accepted, but a number from 1 to 1000" },
		{ "seed=18446744073709551616",
		  "command line, word 1 (seed=18446744073709551616): \"18446744073709551616\" is not accepted, "
		  "but a number from 0 to 18446744073709551615" },
		{ "idle=hal",
		  "command line, word 1 (idle=hal): \"hal\" is not accepted, but one of halt|spin|x" },
		{ "idle=halt|spin",
		  "command line, word 1 (idle=halt|spin): \"halt|spin\" is not accepted, but one of halt|spin|x" },
		{ "pages=1,,2",
		  "command line, word 1 (pages=1,,2): \"1,,2\" is not accepted, "
		  "but numbers from 1 to 600 and ranges a-b, separated by commas" },
		{ "tlb=ipi,foo,lazy",
		  "command line, word 1 (tlb=ipi,foo,lazy): \"foo\" is not accepted, but ipi, lazy or none" },
		{ "tlb=ipi,",
		  "command line, word 1 (tlb=ipi,): \"\" is not accepted, but words separated by single commas" },
		{ "tags=,",
		  "command line, word 1 (tags=,): \"\" is not accepted, but words separated by single commas" },
		{ "console=com1",
		  "command line, word 1 (console=com1): \"com1\" is not accepted, but something that begins with t" },
		{ "repeat",
		  "command line, word 1 (repeat): a value is missing; repeat=VALUE takes a number from 1 to 1000" },
		{ "idle=",
		  "command line, word 1 (idle=): a value is missing; idle=VALUE takes one of halt|spin|x" },
		{ "tlb=\"\"",
		  "command line, word 1 (tlb=): a value is missing; tlb=VALUE takes strategies" },
		{ "note=",
		  "command line, word 1 (note=): a value is missing; note=VALUE takes any text" },
		{ "repeat=1 idle=spin repeat=1",
		  "command line, word 3 (repeat=1): repeat is given twice; once is accepted" },
		{ "repaet=3",
		  "command line, word 1 (repaet=3): there is no such option; repeat is near" },
		{ "note=\"a b",
		  "command line, word 1 (note=a b): a double quote is not closed" },
		{ "repeat=2\tidle=spin",
		  "command line, byte 9: 0x09 is not accepted, but printable ASCII" },
		{ "note=\xc3\xa4",
		  "command line, byte 6: 0xc3 is not accepted, but printable ASCII" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT(!parse(bad[i].line));
		EXPECT_STR(error, bad[i].says);
	}
}

/* The order in the section is the linker's: each name is in the list. */
UNIT_TEST(options_unknown_lists_all)
{
	static const char *const lines[] = { "quiet", "--", "=", "BOOT_IMAGE=/boot/image", "help=1", "\"\"" };
	const struct option *o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		EXPECT(!parse(lines[i]));
		EXPECT(strstr(error, "there is no such option; accepted are help, "));
		REGISTRY_FOR_EACH(o, options)
			EXPECT(strstr(error, o->name));
	}
}

UNIT_TEST(options_lists_refused)
{
	static const char *const bad[] = {
		"0", "601", "1-601", "0-5", "8-5", "1-2-3", "-5", "5-", "1,", ",1", "a", "1-b", "1 ", "1;2",
	};
	char line[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(line, sizeof(line), "\"pages=%s\"", bad[i]);
		if (parse(line))
			unit_fail(__FILE__, __LINE__, "%s was accepted", line);
	}
}

/* The first error is told, and what is right counts. */
UNIT_TEST(options_after_an_error)
{
	EXPECT(!parse("repeat=0 console=ttyS1 nonsense=1 idle=spin"));
	EXPECT(strstr(error, "word 1 "));
	EXPECT_STR(option_text(&option_console), "ttyS1");
	EXPECT_EQ(option_enum(&option_idle), 1);
	EXPECT_EQ(option_uint(&option_repeat), 10);
}

UNIT_TEST(options_length_limit)
{
	size_t max = sizeof(machine.options.text) - 1;
	char *line = malloc(max + 2);

	memset(line, 'a', max + 1);
	memcpy(line, "note=", 5);
	line[max + 1] = '\0';
	EXPECT(!parse(line));
	EXPECT_STR(error, "command line: 4096 bytes are too many, 4095 are accepted");
	line[max] = '\0';
	EXPECT(parse(line));
	EXPECT_EQ(strlen(option_text(&option_note)), max - 5);
	free(line);
}

/* However small the room for the error is. */
UNIT_TEST(options_small_error_buffer)
{
	size_t size;
	char *small;

	for (size = 1; size < 200; size++) {
		small = malloc(size);
		EXPECT(!options_parse("repeat=1 unknown=1 repeat=2", small, size) || size == 1);
		EXPECT(strlen(small) == size - 1 || size > 100);
		free(small);
	}
}

UNIT_TEST(options_wrong_use_is_a_check)
{
	EXPECT(parse(""));
	EXPECT_CHECK(option_uint(&option_idle));
	EXPECT_CHECK(option_enum(&option_console));
}

/* Rubbish made of the right pieces: never a crash, and what is kept was accepted. */
UNIT_TEST(options_rubbish)
{
	static const char *const bits[] = {
		"repeat", "=", "1", "idle", "spin", " ", "\"", ",", "-", "pages", "0x", "tlb", "ipi", "help", "9999999999",
	};
	char line[256], why[128];
	const struct option *o;
	u64 seed = 11, value;
	unsigned round;

	for (round = 0; round < 100000 && !unit_failures(); round++) {
		line[0] = '\0';
		do {
			strcat(line, bits[random_of(&seed, ARRAY_SIZE(bits))]);
		} while (strlen(line) < 200 && random_of(&seed, 12));
		parse(line);
		REGISTRY_FOR_EACH(o, options) {
			if (*option_text(o))
				EXPECT(option_check_value(o, option_text(o), why, sizeof(why)));
		}
		EXPECT(option_uint(&option_repeat) >= 1 && option_uint(&option_repeat) <= 1000);
		EXPECT(option_list_uint(&option_pages, 0, &value) && value >= 1 && value <= 600);
	}
}
