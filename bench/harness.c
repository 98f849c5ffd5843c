/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The benchmark harness: cells, rounds, shuffled strategies, statistics, records. Runs on CPU 0. State: machine.bench: samples and
 * counter sums of each strategy for the cell under way, allocated once. Output is never made inside a measured section.
 */
#include "arch/frame.h"
#include "bench.h"
#include "bench/cell.h"
#include "check.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/stats.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

#define MIN_TICKS 100 /* of a sample: its error is a percent then */
#define FINE_KHZ 500000 /* nothing that is measured is as short as MIN_TICKS of such a clock */
#define MAX_BATCH 8192

static const char *bench_known(const char *text, size_t n);

OPTION(bench, .kind = OPTION_WORDS, .accepts = "NAME,...  all, none", .def = "all", .check = bench_known,
       .help = "benchmarks to run");
OPTION(cpus, .kind = OPTION_UINT_LIST, .accepts = "counts; 0 = 1, 2, 4, ... and all", .def = "0", .min = 0, .max = MAX_CPUS,
       .help = "how many CPUs take part, initiator included: CPUs 0..n-1");
OPTION(pages, .kind = OPTION_UINT_LIST, .accepts = "counts", .def = "1,8,33,34,512", .min = 1, .max = 4096,
       .help = "pages per operation, for benchmarks that sweep them");
OPTION(repeat, .kind = OPTION_UINT, .accepts = "count", .def = "200", .min = 1, .max = 1000000,
       .help = "samples per strategy and cell");
OPTION(time, .kind = OPTION_UINT, .accepts = "milliseconds, 0 = no limit", .def = "2000", .min = 0, .max = 3600000,
       .help = "a cell starts no further round after this long; all strategies have the same number of rounds");
OPTION(seed, .kind = OPTION_UINT, .accepts = "number", .def = "1", .min = 0, .max = ~0ull,
       .help = "of the order in which strategies take turns");

static const char *bench_known(const char *text, size_t n)
{
	const struct bench *b;

	REGISTRY_FOR_EACH (b, benches)
		if (word_is(text, n, b->name))
			return NULL;
	if (word_is(text, n, "all") || word_is(text, n, "none"))
		return NULL;
	return "all, none, or names of benchmarks (`help` lists them)";
}

static bool wanted(const struct bench *b)
{
	return option_list_has(&option_bench, "all") || option_list_has(&option_bench, b->name);
}

/* Number i of the CPU counts of this run. */
static bool nth_cpus(unsigned i, unsigned *cpus)
{
	unsigned all = machine.smp.nr_cpus, n;
	u64 value;

	if (!option_list_uint(&option_cpus, 0, &value))
		return false;
	if (value) {
		if (!option_list_uint(&option_cpus, i, &value))
			return false;
		*cpus = value;
		return true;
	}
	for (n = 1; i && n < all; i--)
		n *= 2;
	*cpus = MIN(n, all);
	return !i;
}

const char *bench_check(char *buf, size_t size)
{
	unsigned i;
	u64 value;

	for (i = 0; option_list_uint(&option_cpus, i, &value); i++) {
		if (value > machine.smp.nr_cpus || (!value && i)) {
			ksnprintf(buf, size, "cpus=%llu: this machine has %u; 1..%u are accepted, or 0 alone",
				  (unsigned long long)value, machine.smp.nr_cpus, machine.smp.nr_cpus);
			return buf;
		}
	}
	return others_check();
}

extern const struct option option_tlb; /* mm/shootdown/install.c */

/* How many strategies tlb= can become, at most: they are composed later, when what is allocated here can't grow any more. */
static unsigned strategies_at_most(void)
{
	const char *word;
	unsigned n = 0;
	size_t length;

	while (option_list_word(&option_tlb, n, &word, &length))
		n++;
	if (option_list_has(&option_tlb, "all"))
		n += (unsigned)REGISTRY_COUNT(presets);
	return MIN(MAX(n, 1u), (unsigned)MAX_STRATEGIES);
}

void bench_init(void)
{
	struct bench_state *b = &machine.bench;

	b->strategies_max = strategies_at_most();
	b->samples_max = option_uint(&option_repeat);
	b->samples = frame_contents(boot_alloc(b->strategies_max * b->samples_max * sizeof(u64), PAGE_SIZE));
	b->counted = frame_contents(
		boot_alloc((u64)b->strategies_max * machine.smp.nr_cpus * MAX_COUNTERS * sizeof(u64), PAGE_SIZE));
	b->random = option_uint(&option_seed);
	others_init();
}

void bench_sample(struct bench_run *r, u64 ticks)
{
	CHECK(r->n < r->wanted);
	r->samples[r->n++] = ticks;
}

bool bench_fail(struct bench_run *r, const char *why)
{
	ksnprintf(r->error, sizeof(r->error), "%s", why);
	return false;
}

void bench_start(struct bench_run *r)
{
	(void)r;
	counters_zero();
}

/* Flushes of CPUs that take no part are their own matter; but where those are parked, what reaches them counts. */
void bench_stop(struct bench_run *r)
{
	unsigned nr = machine.bench.others.what == OTHERS_FLUSH ? r->cpus : machine.smp.nr_cpus, cpu, i;

	for (cpu = 0; cpu < nr; cpu++)
		for (i = 0; i < REGISTRY_COUNT(counters); i++)
			cell_counted(r->strategy, cpu)[i] += counter_of(&__start_counters[i], cpu);
}

/* The strategies of a cell in a random order (Fisher and Yates). */
static void shuffle(unsigned *order, unsigned n)
{
	unsigned i, j, keep;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		j = random_below(&machine.bench.random, i);
		keep = order[j];
		order[j] = order[i - 1];
		order[i - 1] = keep;
	}
}

static bool run_once(struct cell *cell, const struct strategy *s, unsigned index)
{
	struct tally *t = &cell->tally[index];
	struct bench_run r = {
		.bench = cell->bench,
		.strategy = s,
		.cpus = cell->cpus,
		.pages = cell->pages,
		.variant = cell->variant,
		.batch = cell->batch,
		.wanted = MIN(ROUND_SAMPLES, option_uint(&option_repeat) - t->n),
		.samples = machine.bench.samples + index * machine.bench.samples_max + t->n,
	};
	const char *why;
	bool ok;

	strategy_install(s);
	why = others_start(cell->others, cell->cpus);
	ok = why ? bench_fail(&r, why) : cell->bench->round(&r);
	t->others_done += why ? 0 : others_stop();
	CHECK(!load_relaxed(&machine.mm.nr_mms));
	if (!ok) {
		struct record rec;

		kprintf("error: benchmark %s under %s, %u CPUs, %llu pages: %s\n", cell->bench->name, s->name, cell->cpus,
			(unsigned long long)cell->pages, r.error);
		record_begin(&rec, "error");
		record_str(&rec, "bench", cell->bench->name);
		record_str(&rec, "text", r.error);
		record_end(&rec);
	}
	t->n += r.n;
	t->ops += r.ops;
	t->targets = r.targets;
	t->held += r.held;
	t->holders += r.holders;
	return ok;
}

static unsigned strategies_of(const struct bench *b)
{
	return b->no_strategy ? 1 : machine.shootdown.nr;
}

/* The shortest sample of one round of each strategy, which are thrown away; 0: one failed. */
static u64 try_batch(struct cell *cell, const struct strategy *list)
{
	const struct bench_state *b = &machine.bench;
	u64 least = ~0ull;
	unsigned i;

	for (i = 0; i < cell->nr; i++) {
		bool good = run_once(cell, &list[i], i);

		least = good ? MIN(least, MAX(stats_of(b->samples + i * b->samples_max, cell->tally[i].n).min, 1ull)) : 0;
		cell->tally[i] = (struct tally){ 0 };
		if (!good)
			break;
	}
	return least;
}

/* Operations per sample: where the clock is coarse, so many that none is shorter than MIN_TICKS; the same for all strategies. */
static bool choose_batch(struct cell *cell, const struct strategy *list)
{
	u64 least = MIN_TICKS;

	cell->batch = MAX(cell->bench->batch, 1u);
	if (!cell->bench->batches || clock_of_samples()->khz >= FINE_KHZ)
		return true;
	while ((least = try_batch(cell, list)) && least < MIN_TICKS && cell->batch < MAX_BATCH)
		for (; least < MIN_TICKS; least *= 2)
			cell->batch *= 2;
	return least;
}

static bool run_cell(struct cell *cell)
{
	const struct strategy *list = cell->bench->no_strategy ? &machine.shootdown.boot : machine.shootdown.list;
	u64 begin = clock_now(), limit = option_uint(&option_time) * clock_info()->khz;
	u64 repeat = option_uint(&option_repeat);
	unsigned order[MAX_STRATEGIES], i;

	cell->nr = strategies_of(cell->bench);
	if (!choose_batch(cell, list))
		return false;
	memset(machine.bench.counted, 0, cell->nr * machine.smp.nr_cpus * MAX_COUNTERS * sizeof(u64));
	while (cell->tally[0].n < repeat && (!limit || !cell->tally[0].n || clock_now() - begin < limit)) {
		shuffle(order, cell->nr);
		for (i = 0; i < cell->nr; i++)
			if (!run_once(cell, &list[order[i]], order[i]))
				return false;
	}
	if (!cell->bench->no_strategy)
		cell->raw_ipi = raw_ipi_p50(cell->cpus, false);
	for (i = 0; i < cell->nr; i++)
		cell_report(cell, &list[i], cell->bench->no_strategy ? "-" : list[i].name, i);
	return true;
}

/* One cell of the run, `number` from 0: announced, then given to fn. */
static bool visit(struct cell *cell, u64 number, bool (*fn)(struct cell *))
{
	kprintf("progress %llu %llu %s cpus=%u pages=%llu %s\n", (unsigned long long)number,
		(unsigned long long)machine.bench.total, cell->bench->name, cell->cpus, (unsigned long long)cell->pages,
		cell->params);
	machine.bench.running = cell->bench->name;
	return fn(cell);
}

struct seen {
	u64 cells, results; /* cells, and the records that they give */
};

/* The cells of one benchmark, CPU count and variant. */
static bool each_page_count(struct cell *cell, bool (*fn)(struct cell *), struct seen *seen)
{
	const struct bench *b = cell->bench;
	size_t length = strlen(cell->params);
	unsigned p, o;
	bool ok = true;

	cell->pages = b->pages;
	for (p = 0; b->by_pages ? option_list_uint(&option_pages, p, &cell->pages) : !p; p++) {
		for (o = 0; others_nth(b, cell->cpus, o, &cell->others); o++) {
			struct cell one = *cell;

			if (cell->others != OTHERS_HALT)
				ksnprintf(one.params + length, sizeof(one.params) - length, "%sothers=%s", length ? " " : "",
					  others_name(cell->others));
			if (fn)
				ok &= visit(&one, seen->cells, fn);
			seen->cells++;
			seen->results += strategies_of(b);
		}
	}
	return ok;
}

/* Calls fn for each cell, in order; fn NULL: counts only. False: fn failed somewhere (the others are run nevertheless). */
static bool each_cell(bool (*fn)(struct cell *), struct seen *seen)
{
	const struct bench *b;
	unsigned c, v, cpus;
	bool ok = true;

	REGISTRY_FOR_EACH (b, benches) {
		for (c = 0; wanted(b) && nth_cpus(c, &cpus); c++) {
			for (v = 0; cpus >= b->min_cpus; v++) {
				struct cell cell = { .bench = b, .cpus = cpus, .variant = v };

				if (b->variant ? !b->variant(v, cpus, cell.params, sizeof(cell.params)) : v)
					break;
				ok &= each_page_count(&cell, fn, seen);
			}
		}
	}
	machine.bench.running = NULL;
	return ok;
}

u64 benches_planned(void)
{
	struct seen seen = { 0 };

	each_cell(NULL, &seen);
	return seen.results;
}

bool benches_run(void)
{
	struct seen planned = { 0 }, seen = { 0 };
	u64 cells;
	bool ok;

	CHECK(machine.shootdown.nr <= machine.bench.strategies_max);
	each_cell(NULL, &planned);
	machine.bench.total = planned.cells;
	ok = each_cell(run_cell, &seen);
	cells = seen.cells;
	if (cells)
		kprintf("progress %llu %llu done\n", (unsigned long long)cells, (unsigned long long)cells);
	strategy_install(&machine.shootdown.boot);
	return ok;
}
