/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which the devices around the CPU are found and set up. */
#include "arch/arm64/metal/metal.h"
#include "arch/clock.h"
#include "boot_info.h"
#include "machine.h"

const char *platform_devices_init(const struct hw_info *hw)
{
	const char *error;

	machine.arch.hw = hw;
	error = gic_init();
	if (error)
		return error;
	clock_init();
	if (!clock_info()->khz)
		return "firmware left CNTFRQ_EL0 at 0: the rate of the counter is not known";
	identity_init();
	return NULL;
}
