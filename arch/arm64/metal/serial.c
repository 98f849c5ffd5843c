/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console: a PL011, polled, at the speed that the firmware left it at. State: uart and console_owner in machine.arch. No
 * lock: a panic must be able to print at any time; the CPU that ends the run seizes the console instead. (Arm DDI 0183)
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/platform.h"
#include "boot_info.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

OPTION(console, .kind = OPTION_TEXT, .accepts = "fdt, or pl011:ADDRESS", .def = "fdt",
       .help = "the console: the one that the device tree names, or a PL011 at a physical address");

#define UART_DATA 0
#define UART_FLAGS 0x18
#define UART_CONTROL 0x30
#define FLAGS_FULL (1 << 5)
#define CONTROL_ON 0x101 /* UART, transmitter */
#define POLLS 1000000

static void uart_open(u64 pa)
{
	machine.arch.uart = (u64)device_map(PA(pa), PAGE_SIZE);
	mmio_write(machine.arch.uart + UART_CONTROL, mmio_read(machine.arch.uart + UART_CONTROL) | CONTROL_ON);
}

const char *platform_console_open(const char *spec, const struct hw_info *hw)
{
	static const char prefix[] = "pl011:";
	size_t n = sizeof(prefix) - 1;
	u64 address = hw->uart.raw;
	const char *error = NULL;

	machine.arch.hw = hw; /* from here on an error can end the run as it should */
	if (strcmp(spec, "fdt") &&
	    (strncmp(spec, prefix, n) || !parse_uint(spec + n, strlen(spec + n), &address) || !address || address % 4)) {
		error = "fdt, or pl011:ADDRESS, a physical address such as pl011:0x9000000";
		address = hw->uart.raw; /* where the error is to be seen */
	}
	if (address)
		uart_open(address);
	return error;
}

/* Bounded: flow control that never comes must not stop the run. */
static void put(u64 uart, u8 byte)
{
	for (unsigned i = 0; i < POLLS && mmio_read(uart + UART_FLAGS) & FLAGS_FULL; i++)
		yield();
	mmio_write(uart + UART_DATA, byte);
}

static bool is_others(u64 owner)
{
	return owner && owner != this_cpu()->id + 1;
}

/* Without a console that the device tree names there is nowhere to write. */
void platform_console_write(const char *text, size_t n)
{
	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	while (n-- && machine.arch.uart)
		put(machine.arch.uart, (u8)*text++);
}

bool platform_console_seize(void)
{
	bool first = cas_full(&machine.arch.console_owner, 0, this_cpu()->id + 1);

	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	return first;
}
