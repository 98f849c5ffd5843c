/* SPDX-License-Identifier: BSD-2-Clause */
/* Firmware by hand, for unit tests of parsers. */
#include "host/firmware.h"
#include "unit.h"

static struct blob *const *memory;
static void *reads[100000]; /* copies handed out */
static size_t nr_reads;

void blob_set(struct blob *b, size_t offset, unsigned bytes, u64 value)
{
	for (; bytes; bytes--, value >>= 8)
		b->b[offset++] = (u8)value;
}

u64 blob_get(const struct blob *b, size_t offset, unsigned bytes)
{
	u64 value = 0;

	while (bytes--)
		value = value << 8 | b->b[offset + bytes];
	return value;
}

void blob_put(struct blob *b, unsigned bytes, u64 value)
{
	blob_set(b, b->n, bytes, value);
	b->n += bytes;
}

void blob_text(struct blob *b, const char *text, size_t n)
{
	memcpy(b->b + b->n, text, n);
	b->n += n;
}

void blob_align(struct blob *b, size_t align)
{
	while (b->n % align)
		b->b[b->n++] = 0;
}

void blob_fix_sum(struct blob *b, size_t n, size_t at)
{
	u8 sum = 0;
	size_t i;

	b->b[at] = 0;
	for (i = 0; i < n; i++)
		sum = (u8)(sum + b->b[i]);
	b->b[at] = (u8)-sum;
}

void blob_mutate(struct blob *b, u64 *seed)
{
	static const u32 fields[] = { 0, 1, 7, 8, 16, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff };
	size_t at = random_of(seed, b->n), from = random_of(seed, b->n), n = random_of(seed, 40);

	switch (random_of(seed, 5)) {
	case 0:
		b->b[at] = (u8)random_of(seed, 256);
		break;
	case 1:
		b->b[at] ^= (u8)(1 << random_of(seed, 8));
		break;
	case 2:
		at &= ~(size_t)3;
		if (at + 4 <= b->n)
			blob_set(b, at, 4, fields[random_of(seed, ARRAY_SIZE(fields))]);
		break;
	case 3:
		n = MIN(n, b->n - MAX(at, from));
		memmove(b->b + at, b->b + from, n);
		break;
	default:
		if (random_of(seed, 8) == 0)
			b->n = MAX(at, (size_t)1);
	}
}

void phys_is(struct blob *const *pieces)
{
	memory = pieces;
}

const void *phys_read(struct pa pa, u64 bytes)
{
	struct blob *const *p;

	for (p = memory; *p; p++) {
		if (pa.raw < (*p)->pa || pa.raw - (*p)->pa > (*p)->n || bytes > (*p)->n - (pa.raw - (*p)->pa))
			continue;
		if (nr_reads == ARRAY_SIZE(reads))
			abort();
		reads[nr_reads] = unit_exact((*p)->b + (pa.raw - (*p)->pa), bytes);
		return reads[nr_reads++];
	}
	return NULL;
}

void phys_free_reads(void)
{
	while (nr_reads)
		free(reads[--nr_reads]);
}

void expect_sane_boot_info(const struct boot_info *info)
{
	const struct mem_map *map = &info->map;
	unsigned i;

	EXPECT(info->protocol && *info->protocol);
	EXPECT(memchr(info->cmdline, '\0', sizeof(info->cmdline)));
	EXPECT(memchr(info->loader, '\0', sizeof(info->loader)));
	EXPECT(info->rsdp_bytes <= sizeof(info->rsdp_copy));
	EXPECT(map->nr <= MAX_MEM_RANGES);
	if (info->error) {
		EXPECT(*info->error && !strchr(info->error, '\n'));
		return;
	}
	for (i = 0; i < map->nr; i++) {
		EXPECT(map->range[i].start.raw < map->range[i].end.raw);
		EXPECT(i == 0 || map->range[i - 1].end.raw <= map->range[i].start.raw);
	}
}
