/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console: a 16550 UART, polled, 8 bits, no parity. State: console, console_at and console_owner in machine.arch. No lock: a
 * panic must be able to print at any time; the CPU that ends the run seizes the console instead.
 */
#include "arch/frame.h"
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "boot_info.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

OPTION(console, .kind = OPTION_TEXT, .accepts = "firmware; or ttyS0, ttyS1 or io:PORT, then perhaps ,BAUD", .def = "firmware",
       .help = "serial port of the console; firmware: what table SPCR names, else ttyS0,115200");

#define CLOCK_BAUD 115200
#define UART_DATA 0
#define UART_IER 1
#define UART_FCR 2
#define UART_LCR 3
#define UART_MCR 4
#define UART_LSR 5
#define LSR_DATA_READY 1
#define LSR_THR_EMPTY 0x20
#define POLLS 1000000 /* a character at 1200 baud takes 8 ms; a poll, about 1 us */

static const struct console first_port = { .kind = CONSOLE_16550, .port = true, .address = 0x3f8, .baud = CLOCK_BAUD };

static u8 get_reg(unsigned reg)
{
	const struct console *c = &machine.arch.console;

	return c->port ? in8((u16)(c->address + reg)) : (u8)mmio_read(machine.arch.console_at + reg * c->stride, c->width);
}

static void set_reg(unsigned reg, u8 value)
{
	const struct console *c = &machine.arch.console;

	if (c->port)
		out8((u16)(c->address + reg), value);
	else
		mmio_write(machine.arch.console_at + reg * c->stride, c->width, value);
}

/* A speed that is not told, or a clock that may be another one, is left as it is: in memory it often is no 1.8432 MHz. */
static void uart_open(const struct console *console)
{
	unsigned divisor = console->baud ? CLOCK_BAUD / console->baud : 0;

	machine.arch.console = *console;
	machine.arch.console_at = (u64)frame_contents(PA(console->address)); /* head.S maps 4 GiB; then serial_map() */
	set_reg(UART_IER, 0);
	if (divisor && console->port) {
		set_reg(UART_LCR, 0x80); /* the divisor's registers */
		set_reg(UART_DATA, (u8)divisor);
		set_reg(UART_IER, (u8)(divisor >> 8));
	}
	set_reg(UART_LCR, 3);
	set_reg(UART_FCR, 7);
	set_reg(UART_MCR, 3); /* DTR, RTS */
}

void serial_map(void)
{
	const struct console *c = &machine.arch.console;

	if (c->kind && !c->port)
		machine.arch.console_at = (u64)device_map(PA(c->address), 8 * c->stride);
}

static u16 port_of(const char *name, size_t n)
{
	u64 port;

	if (word_is(name, n, "ttyS0"))
		return 0x3f8;
	if (word_is(name, n, "ttyS1"))
		return 0x2f8;
	if (n > 3 && !strncmp(name, "io:", 3) && parse_uint(name + 3, n - 3, &port) && port && port <= 0xfff8)
		return (u16)port;
	return 0;
}

/* False: it can't be read. */
static bool parse_spec(const char *spec, struct console *c)
{
	u64 baud = CLOCK_BAUD;
	const char *text;
	size_t n;

	if (piece(spec, ',', 2, &text, &n))
		return false;
	if (piece(spec, ',', 1, &text, &n) && (!parse_uint(text, n, &baud) || !baud || CLOCK_BAUD % baud))
		return false;
	piece(spec, ',', 0, &text, &n);
	*c = first_port;
	c->address = port_of(text, n);
	c->baud = (u32)baud;
	return c->address;
}

/* Firmware's console, if it is one that can be used: not what lies beyond what head.S maps. */
static const struct console *firmware_console(const struct hw_info *hw)
{
	const struct console *c = &hw->console;

	return c->kind == CONSOLE_16550 && c->address < (4ull << 30) - 8 * 4 ? c : &first_port;
}

const char *platform_console_open(const char *spec, const struct hw_info *hw)
{
	struct console given;
	bool firmware = !strcmp(spec, "firmware");

	if (!firmware && !parse_spec(spec, &given))
		return "firmware; or ttyS0, ttyS1 or io:PORT, then perhaps ,BAUD (a divisor of 115200)";
	uart_open(firmware ? firmware_console(hw) : &given);
	return NULL;
}

/* Bounded: a port that is not there, or flow control that never comes, must not stop the run. */
static void put(u8 byte)
{
	for (unsigned i = 0; i < POLLS && !(get_reg(UART_LSR) & LSR_THR_EMPTY); i++)
		pause();
	set_reg(UART_DATA, byte);
}

static bool is_others(u64 owner)
{
	return owner && owner != this_cpu()->id + 1;
}

void platform_console_write(const char *text, size_t n)
{
	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	if (machine.arch.console.kind == CONSOLE_NONE)
		uart_open(&first_port);
	while (n--)
		put((u8)*text++);
}

int platform_console_read(void)
{
	return machine.arch.console.kind && get_reg(UART_LSR) & LSR_DATA_READY ? get_reg(UART_DATA) : -1;
}

bool platform_console_seize(void)
{
	bool first = cas_full(&machine.arch.console_owner, 0, this_cpu()->id + 1);

	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	return first;
}
