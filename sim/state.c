/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's part of a state (exhaust.c): struct machine, memory, what is known of frames, the oracles. Only what differs from
 * the beginning of a schedule is hashed, line by line. Left out: statistics, which nothing depends on, and what no run changes
 * (that it does not is checked). Owns the copies of the beginning, and the results of accesses.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "sim/arena.h"
#include "sim/glue.h"
#include "sim/hash.h"
#include "sim/scenario.h"
#include "sim/state.h"

#define LINE 64
#define BLOCK 2048
#define FIXED offsetof(struct machine, smp) /* what comes before is set before CPUs run */

static struct machine base;
static struct frame *base_meta;
static u64 results[MODEL_CPUS];
bool state_accesses;

void state_base(void)
{
	size_t meta = machine.mm.frames.n * sizeof(struct frame);

	memcpy(&base, &machine, offsetof(struct machine, cpu) + scene.cpus * sizeof(struct cpu));
	base_meta = realloc(base_meta, meta);
	memcpy(base_meta, machine.mm.frames.meta, meta);
}

void state_begin(void)
{
	memset(results, 0, scene.cpus * sizeof(results[0]));
}

void state_access(unsigned cpu, u64 value, bool fault)
{
	results[cpu] = hash_mix(results[cpu] + 1, fault ? ~0ull : value);
}

u64 state_outcome(void)
{
	return hash_bytes(results, scene.cpus * sizeof(results[0]), 6);
}

static u64 differences(const void *now, const void *was, size_t bytes, u64 salt)
{
	const char *a = now, *b = was;
	u64 sum = 0;
	size_t i, n;

	for (i = 0; i < bytes; i += n) {
		/* Most of it is as it was. */
		n = bytes - i < BLOCK ? bytes - i : BLOCK;
		if (!(i % BLOCK) && !memcmp(a + i, b + i, n))
			continue;
		n = bytes - i < LINE ? bytes - i : LINE;
		if (memcmp(a + i, b + i, n))
			sum += hash_bytes(a + i, n, salt << 32 | i);
	}
	return sum;
}

#define PART(from, to, salt)                                                                                     \
	differences((char *)&machine + offsetof(struct machine, from), (char *)&base + offsetof(struct machine, from), \
		    offsetof(struct machine, to) - offsetof(struct machine, from), salt)

/* Without counters, progress and ticks. */
static u64 hash_kernel_cpu(unsigned cpu)
{
	struct smp_cpu now = machine.cpu[cpu].smp;

	now.progress = base.cpu[cpu].smp.progress;
	now.wait_ticks = base.cpu[cpu].smp.wait_ticks;
	return differences(&machine.cpu[cpu], &base.cpu[cpu], offsetof(struct cpu, smp), 16 + 4 * cpu) +
	       differences(&now, &base.cpu[cpu].smp, sizeof(now), 17 + 4 * cpu) +
	       differences(&machine.cpu[cpu].worker, &base.cpu[cpu].worker,
			   offsetof(struct cpu, counter) - offsetof(struct cpu, worker), 18 + 4 * cpu);
}

u64 state_of_all(void)
{
	u64 h = state_of_model(), sum = PART(smp, bench, 1);
	unsigned cpu;

	for (cpu = 0; cpu < scene.cpus; cpu++)
		sum += hash_kernel_cpu(cpu);
	sum += differences(machine.mm.frames.meta, base_meta, machine.mm.frames.n * sizeof(struct frame), 2);
	h = hash_mix(h, sum + arena_hash());
	h = hash_mix(h, oracle_hash());
	h = hash_bytes(&scene, sizeof(scene), h);
	return state_accesses ? hash_mix(h, state_outcome()) : h;
}

bool state_unhashed_changed(void)
{
	return memcmp(&machine, &base, FIXED) || PART(bench, cpu, 3);
}
