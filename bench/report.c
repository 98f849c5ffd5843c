/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a cell gave, as a record and as a line. A sample is the time of `batch` operations; figures are per operation, so quantiles
 * are those of means over a batch where that is above 1, and the record says so. No state of its own.
 */
#include "arch/broadcast.h"
#include "arch/platform.h"
#include "bench/cell.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/stats.h"
#include "machine.h"

u64 *cell_counted(const struct strategy *s, unsigned cpu)
{
	unsigned index = s == &machine.shootdown.boot ? 0 : (unsigned)(s - machine.shootdown.list);

	return machine.bench.counted + (index * machine.smp.nr_cpus + cpu) * MAX_COUNTERS;
}

/* Sum over all CPUs; least and most over those that took part. */
static void record_counters(struct record *rec, const struct strategy *s, unsigned cpus)
{
	const struct counter *c;
	unsigned cpu;

	REGISTRY_FOR_EACH (c, counters) {
		u64 sum = 0, min = ~0ull, max = 0;

		for (cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
			u64 n = cell_counted(s, cpu)[c - __start_counters];

			sum += n;
			min = cpu < cpus ? MIN(min, n) : min;
			max = cpu < cpus ? MAX(max, n) : max;
		}
		if (sum)
			record_counter(rec, c->name, sum, min, max);
	}
}

static u64 per_op(u64 ticks, unsigned batch)
{
	return (ticks + batch / 2) / batch;
}

static void record_quantile(struct record *rec, const char *name, u64 ticks, unsigned batch)
{
	char ns[16];

	record_u64(rec, name, per_op(ticks, batch));
	ksnprintf(ns, sizeof(ns), "%s_ns", name);
	record_u64(rec, ns, per_op(ticks * 1000000 / clock_of_samples()->khz, batch));
}

void cell_report(struct cell *cell, const struct strategy *s, const char *name, unsigned index)
{
	struct stats st = stats_of(machine.bench.samples + index * machine.bench.samples_max, cell->tally[index].n);
	unsigned batch = cell->batch;
	struct tally *t = &cell->tally[index];
	struct record rec;

	record_begin(&rec, "result");
	record_str(&rec, "bench", cell->bench->name);
	record_str(&rec, "strategy", name);
	record_str(&rec, "params", cell->params);
	record_u64(&rec, "cpus", cell->cpus);
	record_u64(&rec, "targets", t->targets);
	record_u64(&rec, "pages", cell->pages);
	record_u64(&rec, "samples", st.n);
	record_u64(&rec, "batch", batch);
	record_u64(&rec, "ops", t->ops);
	record_quantile(&rec, "min", st.min, batch);
	record_quantile(&rec, "p50", st.p50, batch);
	record_quantile(&rec, "p90", st.p90, batch);
	record_quantile(&rec, "p99", st.p99, batch);
	record_quantile(&rec, "max", st.max, batch);
	record_u64(&rec, "sample_p50", st.p50);
	record_str(&rec, "clock", clock_of_samples()->source);
	record_u64(&rec, "resolution", clock_of_samples()->resolution);
	record_u64(&rec, "ticks_per_us", clock_of_samples()->ticks_per_us);
	record_bool(&rec, "emulated", s->transport->broadcasts && broadcast_emulated());
	record_str(&rec, "emulator", platform_id()->emulator);
	record_str(&rec, "idle", machine.smp.idle_spins ? "spin" : "halt");
	record_str(&rec, "others", others_name(cell->others));
	record_u64(&rec, "others_cpus", machine.smp.nr_cpus - cell->cpus);
	record_u64(&rec, "others_done", t->others_done);
	if (cell->raw_ipi)
		record_u64(&rec, "ipi_p50", cell->raw_ipi);
	if (t->holders) {
		record_u64(&rec, "held", t->held);
		record_u64(&rec, "holders", t->holders);
	}
	record_counters(&rec, s, cell->cpus);
	record_end(&rec);
	kprintf("%-8s %-20s cpus %-3u pages %-4llu %-16s p50 %8llu ticks, p99 %8llu, %llu samples of %u\n", cell->bench->name, name,
		cell->cpus, (unsigned long long)cell->pages, cell->params, (unsigned long long)per_op(st.p50, batch),
		(unsigned long long)per_op(st.p99, batch), (unsigned long long)st.n, batch);
}
