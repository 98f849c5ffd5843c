/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/options.c boot/option_values.c lib/words.c lib/printf.c */
/* The input is a command line. */
#include "fuzz.h"
#include "option.h"

static const char *check_word(const char *text, size_t n)
{
	return n > 2 && text[0] == 'i' ? NULL : "something that begins with i";
}

OPTION(repeat, .kind = OPTION_UINT, .def = "10", .min = 1, .max = 1000, .help = "rounds");
OPTION(seed, .kind = OPTION_UINT, .def = "1", .min = 0, .max = ~0ull, .help = "seed");
OPTION(idle, .kind = OPTION_ENUM, .accepts = "halt|spin|x", .def = "halt", .help = "idle");
OPTION(pages, .kind = OPTION_UINT_LIST, .def = "1,8", .min = 1, .max = 600, .help = "pages");
OPTION(tlb, .kind = OPTION_WORDS, .def = "ipi,ion", .accepts = "strategies", .check = check_word, .help = "strategies");
OPTION(note, .kind = OPTION_TEXT, .def = "", .help = "any text");

/* Values that can be read, each within its limits, or one line that says what is wrong. */
void fuzz(const u8 *data, size_t n)
{
	char *text = fuzz_text(data, n), error[512];
	bool ok = options_parse(text, error, sizeof(error));
	const char *word;
	size_t length;
	unsigned i;
	u64 value;

	free(text); /* values must not point into it */
	EXPECT(ok == !*error && !strchr(error, '\n'));
	if (!ok)
		return;
	EXPECT(option_uint(&option_repeat) >= 1 && option_uint(&option_repeat) <= 1000);
	EXPECT(option_enum(&option_idle) < 3);
	for (i = 0; option_list_uint(&option_pages, i, &value); i++)
		EXPECT(value >= 1 && value <= 600);
	for (i = 0; option_list_word(&option_tlb, i, &word, &length); i++)
		EXPECT(!check_word(word, length));
	EXPECT(strlen(option_text(&option_note)) <= n);
}
