/* SPDX-License-Identifier: BSD-2-Clause */
/* explore.h. Owns the words of the program, and which it is. */
#include "sim/test/explore.h"

#include <string.h>

#include "sim/arena.h"
#include "sim/hash.h"
#include "sim/state.h"

u64 x, y, z, w, got[3], own[3];

static program_fn *program;
static prepare_fn *prepare;
static unsigned cpus;

void nothing(void)
{
}

static void run_program(void)
{
	world_begin();
	x = y = z = w = got[0] = got[1] = got[2] = own[0] = own[1] = own[2] = 0;
	model.nr_cpus = cpus;
	prepare();
	world_settle();
	sched_run(cpus, program);
}

static u64 state(void)
{
	const u64 words[] = { x, y, z, w, got[0], got[1], got[2], own[0], own[1], own[2] };

	return hash_bytes(words, sizeof(words), state_of_model()) + arena_hash();
}

static u64 result(void)
{
	return got[0] << 8 | got[1] << 4 | got[2];
}

unsigned explore(program_fn *entry, prepare_fn *before, unsigned n, bool unreduced)
{
	program = entry;
	prepare = before;
	cpus = n;
	search = (struct search){ .preemptions = -1,
				  .unreduced = unreduced,
				  .outcomes = true,
				  .max_states = 1 << 20,
				  .run = run_program,
				  .state = state,
				  .outcome = result };
	exhaust();
	EXPECT(search.closed);
	return search.nr_found;
}

bool reached(const char *oracle, u64 value)
{
	unsigned i;

	for (i = 0; i < search.nr_found; i++)
		if (oracle ? search.found[i].oracle && !strcmp(search.found[i].oracle, oracle) :
			     !search.found[i].oracle && search.found[i].value == value)
			return true;
	return false;
}

void expect_outcomes(program_fn *entry, prepare_fn *before, unsigned n, unsigned outcomes)
{
	EXPECT_EQ(explore(entry, before, n, true), outcomes);
	EXPECT_EQ(explore(entry, before, n, false), outcomes);
}
