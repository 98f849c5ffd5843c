/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of the run: by semihosting with a status, or by PSCI. Owns no state. (Semihosting, Arm IHI 0097; PSCI, Arm DEN 0022) */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/platform.h"
#include "lib/string.h"
#include "machine.h"

#define SYS_ERRNO 0x13 /* the operation without a side effect */
#define SYS_EXIT 0x18
#define APPLICATION_EXIT 0x20026

/* The statuses that QEMU ends with on x86: 33 ok, 35 failed, 37 error. */
#define STATUS(verdict) (33 + 2 * (u64)(verdict))

static void say(const char *text)
{
	platform_console_write(text, strlen(text));
	platform_console_write("\r\n", 2);
}

/* Somebody answers, and on nothing but QEMU it is tried: elsewhere HLT could stop the CPU for a debugger. */
bool platform_can_exit(void)
{
	return board_is_qemu() && !hypervisor_is_kvm() && !recover_semihosting(SYS_ERRNO, 0).fault;
}

void platform_end(enum end_how how, enum verdict verdict)
{
	u64 block[2] = { APPLICATION_EXIT, STATUS(verdict) };

	mask_irqs();
	if (how == END_EXIT && platform_can_exit())
		recover_semihosting(SYS_EXIT, (u64)block);
	if (how == END_REBOOT)
		psci_call(PSCI_SYSTEM_RESET, 0, 0, 0);
	if (how == END_POWEROFF)
		psci_call(PSCI_SYSTEM_OFF, 0, 0, 0);
	if (how != END_HALT)
		say("end: this machine can't be ended so; halted");
	platform_halt();
}
