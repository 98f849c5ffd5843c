/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The end of the run, by the devices that this machine is known to have. Owns no state. (ACPI 4.8.3.6; QEMU docs/specs,
 * isa-debug-exit; Bochs user manual, shutdown port)
 */
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "boot_info.h"
#include "lib/string.h"
#include "machine.h"

#define DEBUG_EXIT_PORT 0xf4
#define DEBUG_EXIT_VALUE 0x10 /* + verdict; QEMU's status is 2 * value + 1: 33 ok, 35 failed, 37 error */
#define BOCHS_PORT 0x8900
#define PM1_SLEEP_ENABLE 0x2000 /* with sleep type 0, which is S5 in QEMU's tables */

static void say(const char *text)
{
	platform_console_write(text, strlen(text));
	platform_console_write("\r\n", 2);
}

static bool in_bochs(void)
{
	return !strcmp(platform_id()->emulator, "bochs");
}

bool platform_can_exit(void)
{
	return emulator_is_tcg() || emulator_is_qemu() || in_bochs();
}

/* Ends Bochs; a verdict can't be said with it. */
static void shut_bochs_down(void)
{
	for (const char *c = "Shutdown"; *c; c++)
		out8(BOCHS_PORT, (u8)*c);
}

/* Each way in turn; a machine that has none of them is left by a triple fault. */
static _Noreturn void reboot(void)
{
	const struct descriptor_table none = { 0, 0 };
	const struct hw_info *hw = machine.arch.hw;

	if (hw && hw->reset.present && hw->reset.space == 1)
		out8((u16)hw->reset.address, hw->reset.value);
	if (hw && hw->reset.present && hw->reset.space == 0)
		*(volatile u8 *)device_map(PA(hw->reset.address), 1) = hw->reset.value;
	delay_us(10000);
	out8(0xcf9, 0x02);
	out8(0xcf9, 0x06);
	delay_us(10000);
	out8(0x64, 0xfe);
	delay_us(10000);
	lidt(&none);
	__builtin_trap();
}

static void power_off(void)
{
	u32 port = machine.arch.hw ? machine.arch.hw->pm1a_cnt_port : 0;

	if (in_bochs()) {
		shut_bochs_down();
	} else if (platform_can_exit()) {
		out16(port ? (u16)port : 0x604, PM1_SLEEP_ENABLE);
		delay_us(10000);
	}
	say("end: this machine can't be switched off here (its ACPI code is not interpreted); halted");
}

void platform_end(enum end_how how, enum verdict verdict)
{
	cli();
	if (how == END_REBOOT)
		reboot();
	if (how == END_POWEROFF)
		power_off();
	if (how == END_EXIT) {
		if (in_bochs())
			shut_bochs_down();
		out8(DEBUG_EXIT_PORT, (u8)(DEBUG_EXIT_VALUE + verdict));
		say("end: no isa-debug-exit device at port 0xf4; halted");
	}
	platform_halt();
}
