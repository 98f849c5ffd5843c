/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records: built in place, numbered, sent, kept. State: machine.records; the driver CPU only (or the one that ends the run), so
 * there are no locks.
 *
 * A line's beginning has a variable length and is known last (number, checksum), so HEAD_MAX bytes are kept free in front of the
 * JSON and the head is put right before it: nothing is copied.
 */
#include "lib/record.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"

#define HEAD_MAX (sizeof("@tlblab 4294967295 01234567 ") - 1)

u32 crc32c(u32 crc, const void *data, size_t n)
{
	const u8 *p = data;
	unsigned bit;

	crc = ~crc;
	while (n--) {
		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

/* All of it or nothing; `reserve` bytes stay free for what must come after. */
static bool append(struct record *r, const char *text, size_t n, size_t reserve)
{
	if (n + reserve > RECORD_MAX - r->n)
		return false;
	memcpy(r->text + r->n, text, n);
	r->n += n;
	return true;
}

static void append_field(struct record *r, const char *text, size_t n)
{
	if (!append(r, text, n, 1)) /* 1: the closing brace */
		r->overflow = true;
}

static void append_name(struct record *r, const char *name)
{
	if (r->n > HEAD_MAX + 1)
		append_field(r, ",", 1);
	append_field(r, "\"", 1);
	append_field(r, name, strlen(name));
	append_field(r, "\":", 2);
}

void record_begin(struct record *r, const char *type)
{
	struct records_state *s = &machine.records;

	*r = (struct record){ .text = s->building[s->open], .n = HEAD_MAX };
	s->open = true;
	append_field(r, "{", 1);
	record_str(r, "type", type);
}

/* One character of a JSON string; printable ASCII is what a serial line carries, so all else is escaped. */
static size_t escape(char *buf, size_t size, char c)
{
	u8 byte = (u8)c;

	if (byte == '"' || byte == '\\')
		return ksnprintf(buf, size, "\\%c", byte);
	if (byte < 0x20 || byte >= 0x7f)
		return ksnprintf(buf, size, "\\u%04x", byte);
	return ksnprintf(buf, size, "%c", byte);
}

void record_str(struct record *r, const char *name, const char *value)
{
	char one[sizeof("\\u0000")];
	bool room = true;

	append_name(r, name);
	append_field(r, "\"", 1);
	for (; *value && room; value++)
		room = append(r, one, escape(one, sizeof(one), *value), 2); /* 2: the closing quote and brace */
	append_field(r, "\"", 1);
}

void record_u64(struct record *r, const char *name, u64 value)
{
	char text[24];

	append_name(r, name);
	append_field(r, text, ksnprintf(text, sizeof(text), "%llu", (unsigned long long)value));
}

void record_bool(struct record *r, const char *name, bool value)
{
	append_name(r, name);
	append_field(r, value ? "true" : "false", value ? 4 : 5);
}

void record_counter(struct record *r, const char *name, u64 sum, u64 min, u64 max)
{
	char text[72];

	append_name(r, name);
	append_field(r, text,
		     ksnprintf(text, sizeof(text), "[%llu,%llu,%llu]", (unsigned long long)sum, (unsigned long long)min,
			       (unsigned long long)max));
}

void record_list(struct record *r, const char *name, const u32 *values, unsigned n)
{
	char text[16];

	append_name(r, name);
	append_field(r, "[", 1);
	for (unsigned i = 0; i < n; i++) {
		s64 value = values[i] == ~0u ? -1 : (s64)values[i];

		append_field(r, text, ksnprintf(text, sizeof(text), "%s%lld", i ? "," : "", (long long)value));
	}
	append_field(r, "]", 1);
}

/* Puts the head before the JSON; returns where the line begins. */
static char *put_head(struct record *r, u32 seq)
{
	char head[HEAD_MAX + 1], number[16];
	size_t n = ksnprintf(number, sizeof(number), "%u ", seq);
	u32 crc = crc32c(crc32c(0, number, n), r->text + HEAD_MAX, r->n - HEAD_MAX);

	n = ksnprintf(head, sizeof(head), "@tlblab %s%08x ", number, crc);
	return memcpy(r->text + HEAD_MAX - n, head, n);
}

static void keep(struct records_state *s, const char *line, size_t n)
{
	if (n + 1 > s->size - s->used) {
		s->lost = true;
		return;
	}
	memcpy(s->log + s->used, line, n);
	s->log[s->used + n] = '\n';
	s->used += n + 1;
}

void record_end(struct record *r)
{
	struct records_state *s = &machine.records;
	char *line;
	size_t n;

	CHECK(!r->overflow);
	s->open = false;
	r->text[r->n++] = '}';
	line = put_head(r, s->seq++);
	n = (size_t)(r->text + r->n - line);
	s->last = line;
	s->last_bytes = n;
	keep(s, line, n);
	record_repeat();
}

void record_repeat(void)
{
	if (!output_records())
		return;
	console_write(machine.records.last, machine.records.last_bytes);
	console_write("\n", 1);
}

void records_send(u64 first, u64 last)
{
	const char *line = machine.records.log, *end = line + machine.records.used, *next;
	size_t n;
	u64 seq;

	for (; line < end; line = next) {
		const char *number = line + sizeof("@tlblab ") - 1;

		for (next = line; *next++ != '\n';)
			;
		for (n = 0; number[n] != ' '; n++)
			;
		if (parse_uint(number, n, &seq) && seq >= first && seq <= last)
			console_write(line, (size_t)(next - line));
	}
}

void records_init(void *memory, size_t size)
{
	machine.records.log = memory;
	machine.records.size = size;
	machine.records.used = 0;
}

void records_resend(void)
{
	if (machine.records.lost)
		kprintf("records: the log was too small; some cannot be sent again\n");
	if (output_records())
		console_write(machine.records.log, machine.records.used);
}
