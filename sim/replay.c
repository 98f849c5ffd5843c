/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A schedule that found something: made as short as it can be, written to a file, and replayed from one. A file belongs to the
 * build that wrote it: decisions are numbered by steps. No state of its own.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <sim_build.h>

#include "sim/arguments.h"
#include "sim/run.h"
#include "sim/sched.h"

#define SHRINK_SECONDS 20 /* what is left then is shown as it is */

/* Each decision that is not needed for the same oracle to speak is left out, in ever smaller pieces (delta debugging). */
void shrink(const char *oracle)
{
	static struct decision best[MAX_DECISIONS];
	unsigned n = sched.nr, piece, from;
	struct timespec now;
	time_t end;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec + SHRINK_SECONDS;

	memcpy(best, sched.list, n * sizeof(*best));
	sched.mode = SCHED_REPLAY;
	for (piece = n / 2 ? n / 2 : 1; piece; piece /= 2) {
		for (from = 0; from < n && now.tv_sec <= end;) {
			unsigned gone = piece < n - from ? piece : n - from;

			memcpy(sched.list, best, from * sizeof(*best));
			memcpy(sched.list + from, best + from + gone, (n - from - gone) * sizeof(*best));
			sched.nr = n - gone;
			run_one();
			clock_gettime(CLOCK_MONOTONIC, &now);
			if (outcome.oracle && !strcmp(outcome.oracle, oracle)) {
				n -= gone;
				memcpy(best, sched.list, n * sizeof(*best));
			} else {
				from += piece;
			}
		}
	}
	memcpy(sched.list, best, n * sizeof(*best));
	sched.nr = n;
	run_traced();
}

/* The last steps of each CPU are kept, and with --events all that happens is printed. */
void run_traced(void)
{
	sched.trace = true;
	if (args.events)
		events_begin(scenario->name, args.tlb);
	run_one();
	if (args.events)
		events_end();
	sched.trace = false;
}

void write_replay(void)
{
	FILE *f = fopen(args.write, "w");
	unsigned i;

	if (!f) {
		perror(args.write);
		return;
	}
	fprintf(f, "tlblab-replay 1\nbuild %s\nscenario %s\ntlb %s\ncpus %u\nfills %u\nflags %u\nknobs %u\nstill %d\n",
		SIM_BUILD, scenario->name, args.tlb, scene.cpus, args.fills, args.have.flags, args.have.knobs, sched.still);
	for (i = 0; i < sched.nr; i++)
		fprintf(f, "%u %u\n", sched.list[i].at, sched.list[i].option);
	fclose(f);
}

/* A file that write_replay() wrote; it names scenario, strategy and build, which must be this one. */
int replay(void)
{
	static char build[128], name[64], spec[128]; /* kept: the run refers to them */
	FILE *f = fopen(args.replay, "r");
	unsigned at, option, still;

	if (!f)
		usage("--replay", args.replay, "no such file");
	if (fscanf(f, "tlblab-replay 1\nbuild %127s\nscenario %63s\ntlb %127s\ncpus %u\nfills %u\nflags %u\n"
		   "knobs %u\nstill %u\n", build, name, spec, &args.cpus, &args.fills, &args.have.flags, &args.have.knobs,
		   &still) != 8)
		usage("--replay", args.replay, "not a replay file");
	if (strcmp(build, SIM_BUILD))
		usage("--replay", args.replay, "written by another build (" SIM_BUILD " is this one)");
	args.sabotage = true; /* it ran, so it was allowed */
	choose_scenario(name);
	args.tlb = spec;
	sched.still = still;
	while (sched.nr < MAX_DECISIONS && fscanf(f, "%u %u\n", &at, &option) == 2)
		sched.list[sched.nr++] = (struct decision){ at, option };
	fclose(f);
	set_up();
	sched.mode = SCHED_REPLAY;
	run_traced();
	if (!outcome.oracle) {
		printf("nothing was violated\n");
		return 0;
	}
	printf("%s: %s\n", outcome.oracle, outcome.text);
	show_steps();
	return 1;
}
