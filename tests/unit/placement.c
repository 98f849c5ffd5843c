/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/placement.c */
/* The order of CPUs on machines of several shapes. */
#include "boot/placement.h"

#include "unit.h"

#define ROOM 64

static struct place told[ROOM], place[ROOM];
static struct placement_scratch scratch;
static u16 order[ROOM];
static unsigned nr;

/* `threads` in each of `cores` in each of `complexes` in each of `packages`; the first threads first, or cores together. */
static void make(unsigned packages, unsigned complexes, unsigned cores, unsigned threads, bool threads_last)
{
	unsigned all = packages * complexes * cores;

	nr = all * threads;
	for (unsigned i = 0; i < nr; i++) {
		unsigned core = threads_last ? i % all : i / threads, complex = core / cores, package = complex / complexes;

		told[i] = (struct place){ { package, 0x1000 - package, 0x2000 + 7 * complex, 0x8000 + core * 3,
					    threads_last ? i / all : i % threads } };
	}
}

static void go(enum placement how)
{
	placement_number(told, nr, place);
	placement_order(how, place, nr, order, &scratch);
	EXPECT_EQ(order[0], 0);
	for (unsigned i = 0; i < nr; i++)
		for (unsigned j = 0; j < i; j++)
			EXPECT(order[i] != order[j]);
}

static void expect_order(enum placement how, const char *want)
{
	char got[256] = "";

	go(how);
	for (unsigned i = 0; i < nr; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u", i ? " " : "", order[i]);
	EXPECT_STR(got, want);
}

UNIT_TEST(placement_numbers)
{
	make(2, 2, 2, 2, true);
	told[3].at[LEVEL_COMPLEX] = NOT_TOLD;
	placement_number(told, nr, place);
	EXPECT_EQ(place[0].at[LEVEL_CORE], 0);
	EXPECT_EQ(place[7].at[LEVEL_CORE], 7);
	EXPECT_EQ(place[8].at[LEVEL_CORE], 0);
	EXPECT_EQ(place[7].at[LEVEL_PACKAGE], 1);
	EXPECT_EQ(place[3].at[LEVEL_COMPLEX], NOT_TOLD);
	EXPECT_EQ(place[4].at[LEVEL_COMPLEX], 2);
	EXPECT_EQ(place[8].at[LEVEL_THREAD], 1);
	EXPECT_EQ(place[15].at[LEVEL_NODE], 1);
}

/* Two packages of two complexes of two cores of two threads; a core's threads are n and n + 8. */
UNIT_TEST(placement_of_threads_listed_last)
{
	make(2, 2, 2, 2, true);
	expect_order(PLACE_LISTED, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
	expect_order(PLACE_SMT, "0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15");
	expect_order(PLACE_COMPLEX, "0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15");
	expect_order(PLACE_PACKAGE, "0 2 1 3 8 10 9 11 4 6 5 7 12 14 13 15");
	expect_order(PLACE_NODE, "0 2 1 3 8 10 9 11 4 6 5 7 12 14 13 15");
	expect_order(PLACE_SPREAD, "0 4 2 6 1 5 3 7 8 12 10 14 9 13 11 15");
}

UNIT_TEST(placement_of_threads_side_by_side)
{
	make(2, 1, 2, 2, false);
	expect_order(PLACE_SMT, "0 1 2 3 4 5 6 7");
	expect_order(PLACE_COMPLEX, "0 2 1 3 4 6 5 7");
	expect_order(PLACE_SPREAD, "0 4 2 6 1 5 3 7");
}

/* Two packages in one node, and two nodes in one package: what holds the other stays together first. */
UNIT_TEST(placement_nodes_and_packages)
{
	make(4, 1, 2, 1, false);
	for (unsigned i = 0; i < nr; i++)
		told[i].at[LEVEL_NODE] = told[i].at[LEVEL_PACKAGE] < 0x1000 - 1;
	expect_order(PLACE_NODE, "0 2 1 3 4 6 5 7");
	expect_order(PLACE_PACKAGE, "0 1 2 3 4 5 6 7");
	expect_order(PLACE_SPREAD, "0 4 2 6 1 5 3 7");
	make(2, 2, 2, 1, false);
	for (unsigned i = 0; i < nr; i++)
		told[i].at[LEVEL_NODE] = i / 2;
	expect_order(PLACE_NODE, "0 1 2 3 4 5 6 7");
	expect_order(PLACE_PACKAGE, "0 2 1 3 4 6 5 7");
	expect_order(PLACE_SPREAD, "0 4 2 6 1 5 3 7");
}

/* The boot CPU is first wherever it is; what is not told is as one. */
UNIT_TEST(placement_of_what_is_not_told)
{
	make(2, 1, 2, 1, false);
	for (unsigned i = 0; i < nr; i++)
		told[i].at[LEVEL_NODE] = NOT_TOLD;
	expect_order(PLACE_SPREAD, "0 2 1 3");
	memset(told, 0xff, sizeof(told));
	for (enum placement how = PLACE_LISTED; how <= PLACE_SPREAD; how++)
		expect_order(how, "0 1 2 3");
	nr = 1;
	expect_order(PLACE_SMT, "0");
}

UNIT_TEST(placement_as_few_as_possible)
{
	u64 seed = 9;

	for (unsigned round = 0; round < 300; round++) {
		unsigned threads = 1 + (unsigned)random_of(&seed, 2), cores = 1 + (unsigned)random_of(&seed, 4);
		unsigned packages = 1 + (unsigned)random_of(&seed, 3);

		make(packages, 2, cores, threads, random_of(&seed, 2));
		for (enum placement how = PLACE_SMT; how <= PLACE_PACKAGE; how++) {
			enum level level = how == PLACE_SMT ? LEVEL_CORE : how == PLACE_COMPLEX ? LEVEL_COMPLEX : LEVEL_PACKAGE;
			unsigned inside = how == PLACE_SMT ? threads : how == PLACE_COMPLEX ? cores * threads : 2 * cores * threads;

			go(how);
			for (unsigned i = 0; i < nr; i++) /* whole groups one after the other */
				EXPECT_EQ(place[order[i]].at[level], place[order[i / inside * inside]].at[level]);
		}
	}
}
