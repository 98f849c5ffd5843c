/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records: the machine-readable results, one per line on the console,
 *
 *	@tlblab SEQ CRC32C {json}
 *
 * SEQ is decimal from 0 without gaps; CRC32C (8 hex digits, Castagnoli) covers "SEQ {json}", the text without "@tlblab " and
 * without the checksum and its space. The whole line has at most RECORD_MAX bytes and ends in \r\n on the console. The first
 * records say what ran where, the last is {"type":"end","records":N,"verdict":"ok|failed|error",...} with N the number of records,
 * itself included. All are kept in memory, so that they can be sent again: all of them (resend=1), or those that are asked for
 * (listen=). What is sent again ends with the end record.
 *
 * Build one on the driver CPU:
 *	struct record r;
 *	record_begin(&r, "result");
 *	record_str(&r, "bench", "latency");
 *	record_u64(&r, "p50", 1234);
 *	record_end(&r);
 */
#ifndef LIB_RECORD_H
#define LIB_RECORD_H

#include "types.h"

#define RECORD_MAX 4000 /* bytes of a line, "@tlblab " included, line end excluded */

struct record {
	char *text; /* RECORD_MAX bytes: room for the head, then the JSON */
	size_t n; /* bytes used, that room included */
	bool overflow;
};

/* All records of the run; part of struct machine. */
struct records_state {
	char *log; /* the lines, each ended by \n */
	size_t size, used;
	u32 seq;
	/* One is built at a time; the second is for the end of the run, which may come in the middle of that. */
	char building[2][RECORD_MAX];
	const char *last; /* the last line, in one of these, without its end */
	size_t last_bytes;
	bool open; /* the first is being built */
	bool lost; /* the log is full: sent, but cannot be sent again */
};

void records_init(void *memory, size_t size); /* where they are kept; those that came before are sent only */
void record_begin(struct record *r, const char *type);
void record_str(struct record *r, const char *name, const char *value); /* escaped; cut where it would not fit: long ones last */
void record_u64(struct record *r, const char *name, u64 value);
void record_bool(struct record *r, const char *name, bool value);
void record_counter(struct record *r, const char *name, u64 sum, u64 min, u64 max); /* "name":[sum,min,max] over CPUs */
void record_list(struct record *r, const char *name, const u32 *values, unsigned n); /* [1,2,3]; ~0 is -1 */
void record_end(struct record *r); /* numbers it, sends it, keeps it. A record that did not fit is a CHECK: make two. */
void record_repeat(void); /* sends the last one again */
void records_resend(void); /* all of them */
void records_send(u64 first, u64 last); /* those with these numbers, as far as they are kept */

u32 crc32c(u32 crc, const void *data, size_t n); /* start with 0 */

#endif
