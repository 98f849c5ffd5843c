/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which the devices around the CPU are found and set up. Owns machine.arch.hw. */
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "boot_info.h"
#include "machine.h"

#define PIC1_DATA 0x21
#define PIC2_DATA 0xa1

const char *platform_devices_init(const struct hw_info *hw)
{
	static char text[160]; /* of the one error that ends the run */
	const char *error;

	machine.arch.hw = hw;
	if (hw->pcat) {
		out8(PIC1_DATA, 0xff);
		out8(PIC2_DATA, 0xff);
	}
	error = features_choose(text, sizeof(text));
	if (error)
		return error;
	apic_init(hw->lapic);
	identity_init();
	clock_init(hw->pm_timer_port);
	if (!clock_info()->khz)
		return "the rate of the TSC is told by nobody, and neither PM timer nor PIT counts";
	apic_timer_calibrate();
	return NULL;
}
