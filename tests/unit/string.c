/* SPDX-License-Identifier: BSD-2-Clause */
/* units: tests/unit/host/string.c */
/* The kernel's own memcpy and its like, under other names (host/string.c), against the host's. */
#include "unit.h"

void *k_memset(void *p, int c, size_t n);
void *k_memcpy(void *dst, const void *src, size_t n);
void *k_memmove(void *dst, const void *src, size_t n);
int k_memcmp(const void *a, const void *b, size_t n);
size_t k_strlen(const char *s);
int k_strcmp(const char *a, const char *b);
int k_strncmp(const char *a, const char *b, size_t n);

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

/* Every alignment of both sides, every length up to some words, both directions of overlap. */
UNIT_TEST(string_moves_as_the_host)
{
	u8 ours[96], theirs[96];
	size_t from, to, n, i;

	for (from = 0; from < 40; from++) {
		for (to = 0; to < 40; to++) {
			for (n = 0; n < 40; n++) {
				for (i = 0; i < sizeof(ours); i++)
					ours[i] = theirs[i] = (u8)(i * 7 + n);
				EXPECT(k_memmove(ours + to, ours + from, n) == ours + to);
				memmove(theirs + to, theirs + from, n);
				EXPECT(memcmp(ours, theirs, sizeof(ours)) == 0);
			}
		}
		if (unit_failures())
			return;
	}
}

UNIT_TEST(string_copies_and_fills_exactly)
{
	u8 from[80], *to;
	size_t n, offset, i;

	for (i = 0; i < sizeof(from); i++)
		from[i] = (u8)(i + 1);
	for (n = 0; n < 64 && !unit_failures(); n++) {
		for (offset = 0; offset < 9; offset++) { /* the heap ends where the area does */
			to = malloc(n + offset + 1);
			to[offset] = 0;
			EXPECT(k_memcpy(to + offset + 1, from + offset, n) == to + offset + 1);
			EXPECT(memcmp(to + offset + 1, from + offset, n) == 0);
			EXPECT(k_memset(to + offset + 1, 0x1ab, n) == to + offset + 1);
			for (i = 0; i < n; i++)
				EXPECT_EQ(to[offset + 1 + i], 0xab);
			EXPECT_EQ(to[offset], 0);
			free(to);
		}
	}
}

UNIT_TEST(string_compares_as_the_host)
{
	u64 seed = 4;
	unsigned round, i;
	char a[8], b[8];
	size_t n;

	for (round = 0; round < 100000 && !unit_failures(); round++) {
		for (i = 0; i < 7; i++) {
			a[i] = "ab\xff\0"[random_of(&seed, 4)];
			b[i] = "ab\xff\0"[random_of(&seed, 4)];
		}
		a[7] = b[7] = '\0';
		n = random_of(&seed, 8);
		EXPECT_EQ(sign(k_memcmp(a, b, n)), sign(memcmp(a, b, n)));
		EXPECT_EQ(sign(k_strcmp(a, b)), sign(strcmp(a, b)));
		EXPECT_EQ(sign(k_strncmp(a, b, n)), sign(strncmp(a, b, n)));
		EXPECT_EQ(k_strlen(a), strlen(a));
	}
}
