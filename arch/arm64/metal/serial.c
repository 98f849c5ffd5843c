/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console: a PL011, an SBSA generic UART (its subset) or a 16550 in memory, polled, at the speed that firmware left it at.
 * State: console and console_owner in machine.arch. No lock: a panic must be able to print at any time; the CPU that ends the run
 * seizes the console instead. (Arm DDI 0183; DEN 0094, appendix B; 16550: TI SLLS597)
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/platform.h"
#include "boot_info.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

OPTION(console, .kind = OPTION_TEXT, .accepts = "firmware, or pl011:ADDRESS", .def = "firmware",
       .help = "the console: the one that device tree or ACPI (SPCR) name, or a PL011 at a physical address");

#define UART_DATA 0
#define UART_FLAGS 0x18
#define UART_CONTROL 0x30
#define FLAGS_EMPTY (1 << 4) /* of the receiver */
#define FLAGS_FULL (1 << 5)
#define CONTROL_ON 0x301 /* UART, transmitter, receiver */
#define LSR 5 /* number of a 16550's register */
#define LSR_READY 1 /* a byte was received */
#define LSR_EMPTY (1 << 5)
#define POLLS 1000000

/* Without one that firmware names there is nowhere to write. */
static void uart_open(const struct console *console)
{
	struct console *c = &machine.arch.console;

	if (console->kind == CONSOLE_NONE || console->port)
		return;
	*c = *console;
	c->address = (u64)device_map(PA(console->address), PAGE_SIZE);
	if (c->kind == CONSOLE_PL011)
		mmio_write(c->address + UART_CONTROL, mmio_read(c->address + UART_CONTROL) | CONTROL_ON);
}

const char *platform_console_open(const char *spec, const struct hw_info *hw)
{
	static const char prefix[] = "pl011:";
	struct console given = { .kind = CONSOLE_PL011, .stride = 4, .width = 4 };
	size_t n = sizeof(prefix) - 1;
	bool firmware = !strcmp(spec, "firmware"), good;

	machine.arch.hw = hw; /* from here on an error can end the run as it should */
	good = firmware || (!strncmp(spec, prefix, n) && parse_uint(spec + n, strlen(spec + n), &given.address) && given.address &&
			    given.address % 4 == 0);
	uart_open(firmware || !good ? &hw->console : &given); /* an error is to be seen where firmware says */
	return good ? NULL : "firmware, or pl011:ADDRESS, a physical address such as pl011:0x9000000";
}

static u32 get_reg(const struct console *c, unsigned offset)
{
	return c->width == 4 ? mmio_read(c->address + offset) : mmio_read8(c->address + offset);
}

static bool is_full(const struct console *c)
{
	if (c->kind != CONSOLE_16550)
		return get_reg(c, UART_FLAGS) & FLAGS_FULL;
	return !(get_reg(c, LSR * c->stride) & LSR_EMPTY);
}

static bool has_byte(const struct console *c)
{
	if (c->kind != CONSOLE_16550)
		return !(get_reg(c, UART_FLAGS) & FLAGS_EMPTY);
	return get_reg(c, LSR * c->stride) & LSR_READY;
}

/* Bounded: flow control that never comes must not stop the run. */
static void put(const struct console *c, u8 byte)
{
	for (unsigned i = 0; i < POLLS && is_full(c); i++)
		yield();
	if (c->width == 4)
		mmio_write(c->address + UART_DATA, byte);
	else
		mmio_write8(c->address + UART_DATA, byte);
}

static bool is_others(u64 owner)
{
	return owner && owner != this_cpu()->id + 1;
}

void platform_console_write(const char *text, size_t n)
{
	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	while (n-- && machine.arch.console.kind)
		put(&machine.arch.console, (u8)*text++);
}

int platform_console_read(void)
{
	const struct console *c = &machine.arch.console;

	return c->kind && has_byte(c) ? (int)(get_reg(c, UART_DATA) & 0xff) : -1;
}

bool platform_console_seize(void)
{
	bool first = cas_full(&machine.arch.console_owner, 0, this_cpu()->id + 1);

	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	return first;
}
