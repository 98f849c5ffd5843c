/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console: a 16550 UART, polled, 8 bits, no parity. State: serial_port and console_owner in machine.arch. No lock: a
 * panic must be able to print at any time; the CPU that ends the run seizes the console instead.
 */
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "option.h"

OPTION(console, .kind = OPTION_TEXT, .accepts = "ttyS0, ttyS1 or io:PORT, then perhaps ,BAUD", .def = "ttyS0,115200",
       .help = "serial port of the console");

#define CLOCK_BAUD 115200
#define UART_DATA 0
#define UART_IER 1
#define UART_FCR 2
#define UART_LCR 3
#define UART_MCR 4
#define UART_LSR 5
#define LSR_THR_EMPTY 0x20
#define POLLS 1000000 /* a character at 1200 baud takes 8 ms; a poll, about 1 us */

static void uart_init(u16 port, unsigned divisor)
{
	out8(port + UART_IER, 0);
	out8(port + UART_LCR, 0x80); /* the divisor's registers */
	out8(port + UART_DATA, (u8)divisor);
	out8(port + UART_IER, (u8)(divisor >> 8));
	out8(port + UART_LCR, 3);
	out8(port + UART_FCR, 7);
	out8(port + UART_MCR, 3); /* DTR, RTS */
	machine.arch.serial_port = port;
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

const char *platform_console_open(const char *spec, const struct hw_info *hw)
{
	static const char accepted[] = "ttyS0, ttyS1 or io:PORT, then perhaps ,BAUD (a divisor of 115200)";
	u64 baud = CLOCK_BAUD;
	const char *text;
	size_t n;
	u16 port;

	(void)hw;
	if (piece(spec, ',', 2, &text, &n))
		return accepted;
	if (piece(spec, ',', 1, &text, &n) && (!parse_uint(text, n, &baud) || !baud || CLOCK_BAUD % baud))
		return accepted;
	piece(spec, ',', 0, &text, &n);
	port = port_of(text, n);
	if (!port)
		return accepted;
	uart_init(port, (unsigned)(CLOCK_BAUD / baud));
	return NULL;
}

/* Bounded: a port that is not there, or flow control that never comes, must not stop the run. */
static void put(u16 port, u8 byte)
{
	for (unsigned i = 0; i < POLLS && !(in8(port + UART_LSR) & LSR_THR_EMPTY); i++)
		pause();
	out8(port + UART_DATA, byte);
}

static bool is_others(u64 owner)
{
	return owner && owner != this_cpu()->id + 1;
}

void platform_console_write(const char *text, size_t n)
{
	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	if (!machine.arch.serial_port)
		uart_init(port_of("ttyS0", 5), 1);
	while (n--)
		put(machine.arch.serial_port, (u8)*text++);
}

bool platform_console_seize(void)
{
	bool first = cas_full(&machine.arch.console_owner, 0, this_cpu()->id + 1);

	if (is_others(load_relaxed(&machine.arch.console_owner)))
		platform_halt();
	return first;
}
