/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/record.c lib/printf.c lib/kprintf.c lib/words.c boot/option_values.c */
/* Records: checksum, text, limits, the log and sending it again. */
#include "lib/record.h"
#include "unit.h"

#define JSON_MAX (RECORD_MAX - 28) /* the head with a ten-digit number takes 28 */

static u32 crc_of(const char *text)
{
	return crc32c(0, text, strlen(text));
}

/* RFC 3720 B.4 and the check value of CRC-32C. */
UNIT_TEST(crc32c_known)
{
	u8 bytes[32];
	unsigned i;

	EXPECT_EQ(crc_of(""), 0);
	EXPECT_EQ(crc_of("123456789"), 0xe3069283);
	memset(bytes, 0, sizeof(bytes));
	EXPECT_EQ(crc32c(0, bytes, 32), 0x8a9136aa);
	memset(bytes, 0xff, sizeof(bytes));
	EXPECT_EQ(crc32c(0, bytes, 32), 0x62a8ab43);
	for (i = 0; i < 32; i++)
		bytes[i] = (u8)i;
	EXPECT_EQ(crc32c(0, bytes, 32), 0x46dd794e);
	EXPECT_EQ(crc32c(crc32c(0, "1234", 4), "56789", 5), 0xe3069283);
}

/* The line that must be on the console for record `seq` with this JSON. */
static const char *line_of(unsigned seq, const char *json)
{
	static char line[2048];
	char covered[2048];

	snprintf(covered, sizeof(covered), "%u %s", seq, json);
	snprintf(line, sizeof(line), "@tlblab %u %08x %s\r\n", seq, crc_of(covered), json);
	return line;
}

UNIT_TEST(record_of_every_field)
{
	struct record r;

	record_begin(&r, "result");
	record_str(&r, "bench", "latency");
	record_u64(&r, "p50", ~0ull);
	record_u64(&r, "min", 0);
	record_bool(&r, "emulated", true);
	record_bool(&r, "visible", false);
	record_counter(&r, "ipis_sent", 30, 1, 20);
	record_end(&r);
	EXPECT_STR(unit_console(), line_of(0, "{\"type\":\"result\",\"bench\":\"latency\",\"p50\":18446744073709551615,\"min\":0,"
					      "\"emulated\":true,\"visible\":false,\"ipis_sent\":[30,1,20]}"));
}

UNIT_TEST(record_of_lists)
{
	static const u32 values[] = { 0, 4294967294u, 4294967295u };
	struct record r;

	record_begin(&r, "cpus");
	record_list(&r, "none", values, 0);
	record_list(&r, "node", values, 3);
	record_end(&r);
	EXPECT_STR(unit_console(), line_of(0, "{\"type\":\"cpus\",\"none\":[],\"node\":[0,4294967294,-1]}"));
}

UNIT_TEST(record_escapes)
{
	struct record r;

	record_begin(&r, "note");
	record_str(&r, "t", "a\"b\\c\n\x01\x1f\x7f\xc3\xff~ ");
	record_end(&r);
	EXPECT_STR(unit_console(),
		   line_of(0, "{\"type\":\"note\",\"t\":\"a\\\"b\\\\c\\u000a\\u0001\\u001f\\u007f\\u00c3\\u00ff~ \"}"));
}

UNIT_TEST(record_numbers_without_gaps)
{
	struct record r;
	unsigned i;

	machine.records.seq = 4294967290u; /* the longest numbers too */
	for (i = 0; i < 5; i++) {
		unit_console_clear();
		record_begin(&r, "x");
		record_end(&r);
		EXPECT_STR(unit_console(), line_of(4294967290u + i, "{\"type\":\"x\"}"));
	}
}

/* Builds {"type":"x","s":"LETTERS"} with so many letters. */
static void build(struct record *r, char letter, size_t n)
{
	char *text = calloc(n + 1, 1);

	memset(text, letter, n);
	record_begin(r, "x");
	record_str(r, "s", text);
	free(text);
}

UNIT_TEST(record_cuts_a_string_at_the_limit)
{
	size_t fixed = strlen("{\"type\":\"x\",\"s\":\"\"}"), n;
	struct record r;
	const char *out;

	machine.records.seq = 4294967295u;
	for (n = JSON_MAX - fixed - 2; n < JSON_MAX + 100; n++) {
		unit_console_clear();
		build(&r, 'y', n);
		record_end(&r);
		out = unit_console();
		EXPECT_EQ(strlen(out) - 2, RECORD_MAX - JSON_MAX + fixed + MIN(n, JSON_MAX - fixed));
		EXPECT_STR(out + strlen(out) - 5, "y\"}\r\n");
		machine.records.seq = 4294967295u;
	}
}

/* An escape is written whole or not at all, whatever the place where it meets the limit. */
UNIT_TEST(record_cuts_no_escape_in_two)
{
	struct record r;
	const char *out;
	char text[1200];
	size_t before;

	for (before = 0; before < 12; before++) {
		unit_console_clear();
		memset(text, 'y', before);
		memset(text + before, '\x01', sizeof(text) - before);
		text[sizeof(text) - 1] = '\0';
		record_begin(&r, "x");
		record_str(&r, "s", text);
		record_end(&r);
		out = unit_console();
		EXPECT(strlen(out) - 2 <= RECORD_MAX && strlen(out) - 2 > RECORD_MAX - 20);
		EXPECT_STR(out + strlen(out) - 10, "\\u0001\"}\r\n");
	}
}

UNIT_TEST(record_too_long_is_a_check)
{
	struct record r;

	build(&r, 'y', JSON_MAX);
	record_u64(&r, "n", 1);
	EXPECT_CHECK(record_end(&r));
	build(&r, 'y', JSON_MAX);
	record_bool(&r, "n", true);
	EXPECT_CHECK(record_end(&r));
	build(&r, 'y', JSON_MAX);
	record_str(&r, "n", "");
	EXPECT_CHECK(record_end(&r));
	build(&r, 'y', JSON_MAX);
	record_counter(&r, "n", 1, 2, 3);
	EXPECT_CHECK(record_end(&r));
	EXPECT_STR(unit_console(), "");
}

UNIT_TEST(records_are_sent_again)
{
	char *log = malloc(4096), *first;
	struct record r;
	unsigned i;

	records_init(log, 4096);
	for (i = 0; i < 20; i++) {
		record_begin(&r, "x");
		record_u64(&r, "i", i);
		record_end(&r);
	}
	first = strdup(unit_console());
	unit_console_clear();
	records_resend();
	EXPECT_STR(unit_console(), first);
	EXPECT(!machine.records.lost);
	free(first);
	free(log);
}

/* A log that is too small: ASan watches its end, whole lines are kept, and it is said. */
UNIT_TEST(records_log_is_full)
{
	struct record r;
	size_t size;
	char *log;

	for (size = 0; size < 200; size++) {
		log = malloc(size ? size : 1);
		memset(&machine.records, 0, sizeof(machine.records));
		records_init(log, size);
		record_begin(&r, "x");
		record_end(&r);
		record_begin(&r, "yyyyyyyy");
		record_end(&r);
		EXPECT(machine.records.used <= size);
		EXPECT_EQ(machine.records.lost, size < 2 * 19 + 12 + 19 + 2);
		EXPECT(!machine.records.used || log[machine.records.used - 1] == '\n');
		unit_console_clear();
		records_resend();
		EXPECT_EQ(machine.records.lost, strstr(unit_console(), "the log was too small") != NULL);
		free(log);
	}
}

UNIT_TEST(records_obey_output)
{
	struct record r;

	unit_set_option("output", "human");
	record_begin(&r, "x");
	record_end(&r);
	records_resend();
	EXPECT(!strstr(unit_console(), "@tlblab"));
	unit_console_clear();
	unit_set_option("output", "records");
	record_begin(&r, "x");
	record_end(&r);
	EXPECT_STR(unit_console(), line_of(1, "{\"type\":\"x\"}"));
}
