/* SPDX-License-Identifier: BSD-2-Clause */
/* units: lib/registry.c */
/* registry_check_section(): whole entries with names pass, anything else ends the run. */
#include "registry.h"
#include "unit.h"

struct thing {
	u64 value;
	const char *name;
	char more[3];
};

#define THING(sym, ...) REGISTRY_ENTRY(things, thing, thing_##sym) = { .name = #sym, __VA_ARGS__ }
REGISTRY_DECLARE(things, thing);
REGISTRY_DECLARE(nothings, thing);

THING(one, .value = 1);
THING(two, .value = 2);
THING(three, .value = 3);

UNIT_TEST(registry_as_the_macros_make_it)
{
	EXPECT_EQ(REGISTRY_COUNT(things), 3);
	EXPECT_EQ(REGISTRY_BYTES(things), 3 * sizeof(struct thing));
	REGISTRY_CHECK(things);
}

UNIT_TEST(registry_empty)
{
	EXPECT_EQ(REGISTRY_COUNT(nothings), 0);
	REGISTRY_CHECK(nothings);
}

static const struct thing good[] = { { 1, "a", "" }, { 2, "b", "" }, { 0, "c", "" } };

static struct registry of(const struct thing *things, size_t bytes)
{
	return (struct registry){ "things", things, bytes, sizeof(*things), offsetof(struct thing, name) };
}

static void expect_refused(const struct registry *r)
{
	EXPECT_CHECK(registry_check_section(r));
}

UNIT_TEST(registry_of_every_size)
{
	struct registry r;
	size_t bytes;

	for (bytes = 0; bytes <= sizeof(good); bytes++) {
		r = of(good, bytes);
		if (bytes % sizeof(struct thing))
			expect_refused(&r);
		else
			registry_check_section(&r);
	}
}

/* Padding between entries, as gcc puts it without aligned(), shows as an entry without a name or as a size that doesn't divide. */
UNIT_TEST(registry_without_a_name)
{
	struct thing things[3];
	struct registry r = of(things, sizeof(things));
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(things); i++) {
		memcpy(things, good, sizeof(things));
		registry_check_section(&r);
		things[i].name = NULL;
		expect_refused(&r);
	}
}
