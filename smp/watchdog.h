/* SPDX-License-Identifier: BSD-2-Clause */
/* The watchdog of wait_until() and wait_idle(), and the DUMP registry that says what a CPU is doing. */
#ifndef SMP_WATCHDOG_H
#define SMP_WATCHDOG_H

#include "arch/atomic.h"
#include "registry.h"

/* One line fragment about CPU `cpu`, read from another CPU: no locks, relaxed loads. */
struct dump {
	const char *name;
	void (*line)(unsigned cpu, char *buf, size_t size);
};

#define DUMP(sym, fn) REGISTRY_ENTRY(dumps, dump, dump_##sym) = { .name = #sym, .line = fn }
REGISTRY_DECLARE(dumps, dump);

struct watch {
	u64 deadline; /* ticks */
	u64 progress; /* sum over CPUs at the last look */
	unsigned looks;
};

u64 watch_start(struct watch *w); /* returns the time, in ticks */

/* A wait for `word` (called `what`) goes on: returns, or ends the run. */
void watch_check(struct watch *w, const struct word *word, const char *what);

#endif
