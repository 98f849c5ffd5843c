/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual counter; firmware says its rate in CNTFRQ_EL0. State: machine.arch.clock, constant after clock_init(). (Arm ARM D11)
 */
#include "arch/clock.h"

#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "machine.h"

#define EVENT_US 100 /* WFE never lasts longer */
#define CNTKCTL_EVENTS (1 << 2)

const struct clock_info *clock_info(void)
{
	return &machine.arch.clock;
}

/* An event at each rise of one bit of the counter: the highest that rises within EVENT_US. */
void clock_set_up(void)
{
	u64 ticks = read_cntfrq() * EVENT_US / 1000000;
	unsigned bit = 0;

	while (bit < 15 && 4ull << bit <= ticks)
		bit++;
	write_cntv_ctl(0);
	write_cntkctl((u64)bit << 4 | CNTKCTL_EVENTS);
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
}

void delay_us(u64 us)
{
	u64 start = clock_now();

	while (clock_now() - start < us * clock_info()->khz / 1000)
		yield();
}
