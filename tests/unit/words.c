/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/words.c */
/* Text by pointer and length: the texts stand at the end of their allocations, so that reading one byte too many is seen. */
#include "lib/words.h"
#include "unit.h"

static bool parses(const char *text, u64 *value)
{
	char *exact = unit_exact(text, strlen(text));
	bool ok = parse_uint(exact, strlen(text), value);

	free(exact);
	return ok;
}

UNIT_TEST(parse_uint_accepts)
{
	static const struct {
		const char *text;
		u64 value;
	} good[] = {
		{ "0", 0 }, { "7", 7 }, { "0012", 12 }, { "18446744073709551615", ~0ull }, { "0x0", 0 }, { "0xfF", 255 },
		{ "0X10", 16 }, { "0xffffffffffffffff", ~0ull }, { "0x00000000000000000001", 1 },
	};
	u64 value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT(parses(good[i].text, &value));
		EXPECT_EQ(value, good[i].value);
	}
}

UNIT_TEST(parse_uint_refuses)
{
	static const char *const bad[] = {
		"", "-1", "+1", " 1", "1 ", "0x", "x1", "1x", "0x1g", "a", "1a", "18446744073709551616", "99999999999999999999",
		"0x10000000000000000", "1.5", "1_000", "0b1",
	};
	u64 value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (parses(bad[i], &value))
			unit_fail(__FILE__, __LINE__, "\"%s\" was accepted", bad[i]);
	}
}

/* Numbers written by the host come back. */
UNIT_TEST(parse_uint_round_trip)
{
	char text[32];
	u64 value, back;
	unsigned i;

	for (i = 0, value = 1; i < 20000 && !unit_failures(); i++) {
		value = value * 6364136223846793005ull + 1442695040888963407ull;
		snprintf(text, sizeof(text), i % 2 ? "%llu" : "0x%llx", (unsigned long long)(value >> i % 64));
		EXPECT(parses(text, &back));
		EXPECT_EQ(back, value >> i % 64);
	}
}

UNIT_TEST(word_is_whole)
{
	EXPECT(word_is("abc", 3, "abc"));
	EXPECT(word_is("abcd", 3, "abc"));
	EXPECT(word_is("", 0, ""));
	EXPECT(!word_is("abc", 2, "abc"));
	EXPECT(!word_is("abc", 3, "ab"));
	EXPECT(!word_is("abd", 3, "abc"));
}

UNIT_TEST(piece_by_piece)
{
	static const char *const want[] = { "a", "", "bc", "" };
	const char *p;
	unsigned i;
	size_t n;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		EXPECT(piece("a,,bc,", ',', i, &p, &n));
		EXPECT(word_is(p, n, want[i]));
	}
	EXPECT(!piece("a,,bc,", ',', 4, &p, &n));
	EXPECT(!piece("a,,bc,", ',', 4000000000u, &p, &n));
	EXPECT(piece("", ',', 0, &p, &n) && n == 0);
	EXPECT(!piece("", ',', 1, &p, &n));
}

UNIT_TEST(piece_of_stops_at_the_length)
{
	char *exact = unit_exact("1-23", 4);
	const char *p;
	size_t n;

	EXPECT(piece_of(exact, 4, '-', 1, &p, &n) && word_is(p, n, "23"));
	EXPECT(!piece_of(exact, 4, '-', 2, &p, &n));
	EXPECT(!piece_of(exact, 1, '-', 1, &p, &n));
	free(exact);
}

UNIT_TEST(near_words)
{
	EXPECT(word_is_near("repaet", 6, "repeat"));
	EXPECT(word_is_near("repat", 5, "repeat"));
	EXPECT(word_is_near("rrepeat", 7, "repeat"));
	EXPECT(word_is_near("bemch", 5, "bench"));
	EXPECT(word_is_near("tbl", 3, "tlb") == false); /* three letters: one edit only, this is two */
	EXPECT(word_is_near("tl", 2, "tlb"));
	EXPECT(word_is_near("tlbs", 4, "tlb"));
	EXPECT(!word_is_near("", 0, "repeat"));
	EXPECT(!word_is_near("time", 4, "repeat"));
	EXPECT(!word_is_near("x", 1, "ab"));
}

/* The textbook distance, as a table. */
static unsigned slow_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[12][12];
	size_t i, j;

	for (i = 0; i <= n; i++) {
		for (j = 0; j <= m; j++) {
			if (!i || !j) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			d[i][j] = MIN(d[i][j], MIN(d[i - 1][j], d[i][j - 1]) + 1);
		}
	}
	return d[n][m];
}

UNIT_TEST(near_words_as_the_textbook)
{
	char a[10], b[10];
	u64 seed = 7;
	unsigned round, i;
	size_t n, m;

	for (round = 0; round < 100000 && !unit_failures(); round++) {
		n = random_of(&seed, 8);
		m = random_of(&seed, 8);
		for (i = 0; i < 8; i++) {
			a[i] = (char)('a' + random_of(&seed, 2));
			b[i] = (char)('a' + random_of(&seed, 2));
		}
		b[m] = '\0';
		EXPECT_EQ(word_is_near(a, n, b), slow_distance(a, n, b, m) <= MIN(m / 3, 2));
	}
}
