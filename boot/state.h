/* SPDX-License-Identifier: BSD-2-Clause */
/* What boot/ keeps in struct machine. */
#ifndef BOOT_STATE_H
#define BOOT_STATE_H

#include "arch/atomic.h"
#include "arch/platform.h"
#include "boot_info.h"

struct boot_state {
	struct boot_info info;
	struct hw_info hw;
	/* By logical number; before CPUs have come, by position in the list that they are started from. */
	struct place place[MAX_CPUS];
	u32 listed_id[MAX_CPUS];
	const char *places_by; /* who said it */
	enum verdict verdict; /* the worst so far */
	u64 begin; /* the clock's ticks when the run began, in its first and last record: tells two runs of one image apart */
	char broadcast_fails[96]; /* what the self-test said */
	struct word started; /* CPUs that went through upcall_cpu_started(); the boot CPU is not counted */
};

/* Brings up the CPUs that firmware lists; names those that don't come. (bringup.c) */
const char *bring_up_cpus(void);

/* CPUs whose registers (platform_cpu_differences()) are not CPU 0's, as lines and records. (bringup.c) */
void report_cpu_differences(void);

/* `help` on the command line: what there is to choose from. (help.c) */
void print_help(void);

/* The verdict becomes at least this bad. */
void verdict_worsen(enum verdict verdict);

/* NULL, or what is wrong with end= on this machine. */
const char *end_check(void);

/* Sends again what is asked for by lines `resend N,N-M`, for so many seconds after the last request. (listen.c) */
void listen_for_requests(u64 seconds);
void listen_forget(void); /* what was received until now */

/* Last record, verdict, end=. */
_Noreturn void run_end(void);

/* One line, verdict error, end. */
_Noreturn void run_error(const char *fmt, ...) PRINTF(1, 2);

#endif
