/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rate of the TSC: told by CPUID, else measured against the ACPI PM timer, else against the PIT. State: machine.arch.clock,
 * constant after clock_init(). (SDM vol. 3B 18.7.3; ACPI 4.8.3.3; Intel 8254)
 */
#include "arch/clock.h"

#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "lib/stats.h"
#include "machine.h"

#define PM_TIMER_HZ 3579545ull
#define PIT_HZ 1193182ull
#define WINDOW_MS 10
#define WINDOWS 5

const struct clock_info *clock_info(void)
{
	return &machine.arch.clock;
}

const struct clock_info *clock_of_samples(void)
{
	return &machine.arch.clock;
}

/* kHz from the crystal's ratio and frequency, or from the base frequency; 0: not told. */
static u64 khz_by_cpuid(const char **method)
{
	u32 last = cpuid(0, 0).eax;
	struct cpuid ratio = { 0 };

	if (last >= 0x15)
		ratio = cpuid(0x15, 0);
	if (!ratio.eax || !ratio.ebx)
		return 0;
	*method = "cpuid-15h";
	if (ratio.ecx)
		return (u64)ratio.ecx * ratio.ebx / ratio.eax / 1000;
	*method = "cpuid-16h";
	return last >= 0x16 ? (u64)(cpuid(0x16, 0).eax & 0xffff) * 1000 : 0;
}

static u64 khz_by_hypervisor(const char **method)
{
	*method = "hypervisor";
	if (!(cpuid(1, 0).ecx & 1u << 31) || cpuid(0x40000000, 0).eax < 0x40000010)
		return 0;
	return cpuid(0x40000010, 0).eax;
}

/* Ticks in one window, scaled to kHz. The counter has 24 bits that can be relied on. 0: it doesn't count. */
static u64 khz_by_pm_timer(u16 port)
{
	/* The clock before the counter: a delay between the two makes the window too long, which the median drops. */
	u64 start = clock_begin(), end;
	u32 first = in32(port), passed = 0;

	for (unsigned i = 0; passed < PM_TIMER_HZ * WINDOW_MS / 1000; i++) {
		passed = (in32(port) - first) & 0xffffff;
		if (i > 10000000)
			return 0;
	}
	end = clock_end();
	return (end - start) * PM_TIMER_HZ / passed / 1000;
}

/* Channel 2 in mode 0: its output rises when the count has run down; port 0x61 shows it, and has its gate in bit 0. */
static u64 khz_by_pit(void)
{
	const u64 counts = PIT_HZ * WINDOW_MS / 1000;
	u64 start, end;
	unsigned i = 0;

	out8(0x61, (in8(0x61) & ~2) | 1);
	out8(0x43, 0xb0);
	out8(0x42, counts & 0xff);
	start = clock_begin(); /* before it counts, for the same reason */
	out8(0x42, counts >> 8);
	while (!(in8(0x61) & 0x20)) {
		if (++i > 10000000)
			return 0;
	}
	end = clock_end();
	return (end - start) * PIT_HZ / counts / 1000;
}

/* The median: a window that was interrupted (SMI, a vCPU descheduled) is too long, never too short. */
static u64 measure(u32 pm_timer_port, const char **method)
{
	u64 khz[WINDOWS];

	*method = pm_timer_port ? "pm-timer" : "pit";
	for (unsigned i = 0; i < WINDOWS; i++)
		khz[i] = pm_timer_port ? khz_by_pm_timer((u16)pm_timer_port) : khz_by_pit();
	return stats_of(khz, WINDOWS).p50;
}

static u64 resolution(void)
{
	u64 least = ~0ull, last = clock_begin();

	for (unsigned i = 0; i < 1000; i++) {
		u64 t = clock_begin();

		if (t != last)
			least = MIN(least, t - last);
		last = t;
	}
	return least;
}

void clock_init(u32 pm_timer_port)
{
	struct clock_info *c = &machine.arch.clock;

	c->source = "tsc";
	c->khz = khz_by_cpuid(&c->calibration);
	if (!c->khz)
		c->khz = khz_by_hypervisor(&c->calibration);
	if (!c->khz)
		c->khz = measure(pm_timer_port, &c->calibration);
	if (!c->khz && pm_timer_port)
		c->khz = measure(0, &c->calibration);
	c->ticks_per_us = MAX((c->khz + 500) / 1000, 1ull);
	c->resolution = resolution();
	c->invariant = cpuid(0x80000000, 0).eax >= 0x80000007 && (cpuid(0x80000007, 0).edx & 1 << 8);
}

void delay_us(u64 us)
{
	u64 start = clock_now();

	while (clock_now() - start < us * clock_info()->khz / 1000)
		pause();
}
