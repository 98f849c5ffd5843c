/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The order of CPUs, one after the other by a score. What is shared is counted from the coarsest level to the finest: packages
 * in nodes, or nodes in packages where there are more of these. Pure.
 */
#include "boot/placement.h"

#include "lib/string.h"

#define SHARED LEVEL_THREAD /* levels that CPUs share: all above */

struct chooser {
	const struct place *place;
	struct placement_scratch *scratch;
	enum level levels[SHARED]; /* coarsest first */
	unsigned packed; /* of these, how many stay together; the others are spread over */
};

static void number_level(const struct place *told, unsigned nr, struct place *place, enum level level)
{
	u32 next = 0;

	for (unsigned i = 0; i < nr; i++) {
		unsigned same = 0;

		while (told[same].at[level] != told[i].at[level])
			same++;
		if (told[i].at[level] == NOT_TOLD)
			place[i].at[level] = NOT_TOLD;
		else
			place[i].at[level] = same < i ? place[same].at[level] : next++;
	}
}

void placement_number(const struct place *told, unsigned nr, struct place *place)
{
	memcpy(place, told, nr * sizeof(*place));
	for (enum level level = LEVEL_PACKAGE; level <= LEVEL_CORE; level++)
		number_level(told, nr, place, level);
}

static u16 *taken(const struct chooser *c, unsigned cpu, enum level level)
{
	return &c->scratch->taken[level][MIN(c->place[cpu].at[level], (u32)MAX_CPUS)];
}

static u32 groups(const struct chooser *c, unsigned nr, enum level level)
{
	u32 most = 0;

	for (unsigned i = 0; i < nr; i++)
		if (c->place[i].at[level] != NOT_TOLD)
			most = MAX(most, c->place[i].at[level] + 1);
	return most;
}

/*
 * Least is best. Where CPUs stay together: whether this one would open a new core, complex, and so on, the finest first. Where they
 * spread: how many are there already, the coarsest first.
 */
static u64 score(const struct chooser *c, unsigned cpu)
{
	u64 score = 0;

	for (unsigned i = c->packed; i-- > 0;)
		score = score << 1 | !*taken(c, cpu, c->levels[i]);
	for (unsigned i = c->packed; i < SHARED; i++)
		score = score << 16 | *taken(c, cpu, c->levels[i]);
	return score;
}

static unsigned best(const struct chooser *c, unsigned nr)
{
	unsigned found = 0;
	u64 least = ~0ull;

	for (unsigned i = 0; i < nr; i++) {
		u64 s = c->scratch->used[i] ? ~0ull : score(c, i);

		if (s < least) {
			least = s;
			found = i;
		}
	}
	return found;
}

void placement_order(enum placement how, const struct place *place, unsigned nr, u16 *order, struct placement_scratch *scratch)
{
	static const enum level last_packed[] = { [PLACE_SMT] = LEVEL_CORE, [PLACE_COMPLEX] = LEVEL_COMPLEX,
						  [PLACE_PACKAGE] = LEVEL_PACKAGE, [PLACE_NODE] = LEVEL_NODE };
	struct chooser c = { place, scratch, { LEVEL_NODE, LEVEL_PACKAGE, LEVEL_COMPLEX, LEVEL_CORE }, 0 };

	memset(scratch, 0, sizeof(*scratch));
	if (groups(&c, nr, LEVEL_NODE) > groups(&c, nr, LEVEL_PACKAGE)) {
		c.levels[0] = LEVEL_PACKAGE;
		c.levels[1] = LEVEL_NODE;
	}
	while (how != PLACE_SPREAD && how != PLACE_LISTED && c.levels[c.packed++] != last_packed[how])
		;
	for (unsigned n = 0; n < nr; n++) {
		unsigned cpu = !n ? 0 : how == PLACE_LISTED ? n : best(&c, nr);

		order[n] = (u16)cpu;
		scratch->used[cpu] = true;
		for (enum level level = 0; level < SHARED; level++)
			(*taken(&c, cpu, level))++;
	}
}
