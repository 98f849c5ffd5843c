/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The end of the run, good or bad. State: machine.boot.verdict. The CPU that ends the run seizes the console; another that
 * gets here halts. A failure inside the end itself skips the records.
 */
#include "arch/clock.h"
#include "arch/platform.h"
#include "arch/upcall.h"
#include "check.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/string.h"
#include "machine.h"
#include "option.h"

OPTION(end, .kind = OPTION_ENUM, .accepts = "auto|exit|halt|reboot|poweroff", .def = "auto",
       .help = "what comes after the run; auto: exit from an emulator that has a way to, else halt");
OPTION(resend, .kind = OPTION_UINT, .accepts = "0 or 1", .def = "0", .min = 0, .max = 1,
       .help = "1: send all records again after the last one");
OPTION(listen, .kind = OPTION_UINT, .accepts = "0 to 86400 seconds", .def = "10", .max = 86400,
       .help = "after the last record, repeat it each second and send what is asked for; not before an exit from an emulator");

enum { OPTION_END_AUTO }; /* then enum end_how, in its order */

static const char *const verdict_names[] = { [VERDICT_OK] = "ok", [VERDICT_FAILED] = "failed", [VERDICT_ERROR] = "error" };

void verdict_worsen(enum verdict verdict)
{
	machine.boot.verdict = MAX(machine.boot.verdict, verdict);
}

static enum end_how how_to_end(void)
{
	unsigned end = option_enum(&option_end);

	if (end != OPTION_END_AUTO)
		return (enum end_how)(end - 1);
	return platform_can_exit() ? END_EXIT : END_HALT;
}

/* An emulator that the run exits from loses nothing, and nobody talks to it; without a clock there is no second. */
static u64 listens(void)
{
	return how_to_end() == END_EXIT || !clock_info()->khz || !output_records() ? 0 : option_uint(&option_listen);
}

static _Noreturn void leave(void)
{
	platform_end(how_to_end(), machine.boot.verdict);
}

const char *end_check(void)
{
	if (option_enum(&option_end) == END_EXIT + 1 && !platform_can_exit())
		return "end=exit: no emulator with an exit device is here; accepted are auto, halt, reboot, poweroff";
	return NULL;
}

static _Noreturn void last_record(void)
{
	u64 seconds = listens();
	struct record r;

	listen_forget(); /* what came during the run was no request */
	record_begin(&r, "end");
	record_u64(&r, "records", machine.records.seq + 1);
	record_str(&r, "verdict", verdict_names[machine.boot.verdict]);
	record_u64(&r, "begin", machine.boot.begin);
	record_u64(&r, "listen", seconds);
	record_end(&r);
	if (option_uint(&option_resend))
		records_resend();
	kprintf("tlblab: end, verdict %s\n", verdict_names[machine.boot.verdict]);
	listen_for_requests(seconds);
	leave();
}

void run_end(void)
{
	platform_console_seize();
	last_record();
}

static _Noreturn void fail(const char *what, const char *report)
{
	const struct strategy *s = strategy_now();
	const char *running = machine.bench.running ? machine.bench.running : "none";
	bool first = platform_console_seize();
	struct record r;

	verdict_worsen(VERDICT_ERROR);
	console_write("\n", 1); /* a line may be half written */
	kprintf("error: %s\n", what);
	if (report) {
		kprintf("CPU %u, strategy %s, running %s\n", this_cpu()->id, s ? s->name : "none", running);
		console_write(report, strlen(report));
	}
	if (!first)
		leave(); /* the end has failed: no more of it */
	record_begin(&r, "error");
	record_u64(&r, "cpu", this_cpu()->id);
	record_str(&r, "strategy", s ? s->name : "none");
	record_str(&r, "running", running);
	record_str(&r, "message", what);
	record_end(&r);
	last_record();
}

static _Noreturn void fail_formatted(const char *report, const char *fmt, va_list args)
{
	char what[480];

	kvsnprintf(what, sizeof(what), fmt, args);
	fail(what, report);
}

void run_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail_formatted(NULL, fmt, args);
}

void panic(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail_formatted("", fmt, args);
}

void check_failed(const char *what, const char *file, int line)
{
	panic("CHECK(%s) failed at %s:%d, called from %p", what, file, line, __builtin_return_address(0));
}

void upcall_fatal(const char *what, const char *report)
{
	fail(what, report);
}
