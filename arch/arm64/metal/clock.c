/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The time is the virtual counter; firmware says its rate in CNTFRQ_EL0. Often a tick of it is tens of ns long, so samples are
 * taken by the cycle counter where each CPU has one, and all CPUs are of one kind: cycles of different kinds can't be put
 * together. State: machine.arch.clock, clock_of_samples and samples_by_cycles, constant once CPUs are up. (Arm ARM D11; D13 for
 * the cycle counter)
 */
#include "arch/clock.h"

#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "lib/printf.h"
#include "machine.h"
#include "option.h"

OPTION(clock, .kind = OPTION_ENUM, .accepts = "auto|pmccntr|cntvct", .def = "auto",
       .help = "by what samples are taken: the cycle counter, the virtual counter, or the first if all CPUs have it");

enum { CLOCK_AUTO, CLOCK_PMCCNTR, CLOCK_CNTVCT };

bool samples_by_cycles;

#define PMU_VERSION(dfr0) ((dfr0) >> 8 & 0xf)
#define PMU_OTHER 15 /* not PMUv3 */
#define PMCR_START 0x45 /* E: count; C: from 0; LC: 64 bits */
#define PMU_CYCLES (1u << 31)
#define RATE_US 1000
#define EVENT_US 100 /* WFE never lasts longer */
#define CNTKCTL_EVENTS (1 << 2)

const struct clock_info *clock_info(void)
{
	return &machine.arch.clock;
}

const struct clock_info *clock_of_samples(void)
{
	return &machine.arch.clock_of_samples;
}

/* This CPU's cycles from now on, at EL1 too, without interrupts. Returns whether they are counted: a hypervisor may not do it. */
static bool start_cycles(void)
{
	u64 version = PMU_VERSION(read_dfr0()), first;

	if (!version || version == PMU_OTHER)
		return false;
	write_pmuserenr(0);
	write_pmintenclr(~0u);
	write_pmcntenclr(~0u);
	write_pmccfiltr(0);
	write_pmcntenset(PMU_CYCLES);
	write_pmcr(PMCR_START);
	isb();
	first = read_pmccntr();
	for (unsigned i = 0; i < 1000; i++) {
		isb();
		if (read_pmccntr() != first)
			return true;
	}
	return false;
}

/* An event at each rise of one bit of the counter: the highest that rises within EVENT_US. */
bool clock_set_up(void)
{
	u64 ticks = read_cntfrq() * EVENT_US / 1000000;
	unsigned bit = 0;

	while (bit < 15 && 4ull << bit <= ticks)
		bit++;
	write_cntv_ctl(0);
	write_cntkctl((u64)bit << 4 | CNTKCTL_EVENTS);
	return start_cycles();
}

static u64 resolution(void)
{
	u64 least = ~0ull, last = clock_begin();

	for (unsigned i = 0; i < 10000; i++) {
		u64 t = clock_begin();

		if (t != last)
			least = MIN(least, t - last);
		last = t;
	}
	return least;
}

void clock_init(void)
{
	struct clock_info *c = &machine.arch.clock;

	c->source = "cntvct";
	c->calibration = "cntfrq";
	c->khz = (read_cntfrq() + 500) / 1000;
	c->ticks_per_us = MAX((c->khz + 500) / 1000, 1ull);
	c->resolution = resolution();
	c->invariant = true; /* by architecture */
	machine.arch.clock_of_samples = *c;
}

/* Which CPU it is that has no cycle counter to take samples by; false: each has. */
static bool without_cycles(char *why, size_t size)
{
	for (unsigned cpu = 0; cpu < machine.smp.nr_cpus; cpu++) {
		const struct arch_cpu *c = &machine.cpu[cpu].arch;

		if (!c->counts_cycles)
			ksnprintf(why, size, "PMCCNTR_EL0 does not count on CPU %u", cpu);
		else if (c->regs.midr != machine.cpu[0].arch.regs.midr)
			ksnprintf(why, size, "CPU %u is of another kind than CPU 0", cpu);
		else
			continue;
		return true;
	}
	return false;
}

static u64 cycles_per_ms(void)
{
	u64 ticks = machine.arch.clock.khz * RATE_US / 1000, start = read_cntvct(), first = read_pmccntr(), now;

	while ((now = read_cntvct()) - start < ticks)
		yield();
	return (read_pmccntr() - first) * machine.arch.clock.khz / (now - start);
}

const char *clock_choose(void)
{
	struct clock_info *c = &machine.arch.clock_of_samples;
	unsigned asked = option_enum(&option_clock);

	if (asked == CLOCK_CNTVCT) {
		ksnprintf(c->note, sizeof(c->note), "asked for");
		return NULL;
	}
	if (without_cycles(c->note, sizeof(c->note))) {
		if (asked == CLOCK_AUTO)
			return NULL;
		ksnprintf_append(c->note, sizeof(c->note), ", so clock=pmccntr can't be had; accepted are auto, cntvct");
		return c->note;
	}
	samples_by_cycles = true;
	c->source = "pmccntr";
	c->calibration = "cntvct";
	c->khz = cycles_per_ms();
	c->ticks_per_us = MAX((c->khz + 500) / 1000, 1ull);
	c->resolution = resolution();
	c->invariant = false;
	return NULL;
}

void delay_us(u64 us)
{
	u64 start = clock_now();

	while (clock_now() - start < us * clock_info()->khz / 1000)
		yield();
}
