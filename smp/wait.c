/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waiting: the only loops of the house that run until another CPU does something. State: smp.wait of the CPU that waits, for the
 * watchdog and for wakers. No locks.
 */
#include "arch/clock.h"
#include "arch/irq.h"
#include "arch/wait.h"
#include "machine.h"
#include "option.h"
#include "smp/call.h"
#include "smp/crumb.h"
#include "smp/wait.h"
#include "smp/watchdog.h"

OPTION(idle, .kind = OPTION_ENUM, .accepts = "halt|spin", .def = "halt",
       .help = "what a CPU without work does: halt until an interrupt, or spin (waits for acknowledgements never halt)");
OPTION(watchdog, .kind = OPTION_UINT, .accepts = "milliseconds, 0 = off", .def = "10000", .min = 0, .max = 3600000,
       .help = "how long a wait may last, without progress of any CPU, before the run ends with verdict error");

enum idle { IDLE_HALT, IDLE_SPIN };

void smp_init(void)
{
	machine.smp.watchdog_ticks = option_uint(&option_watchdog) * clock_info()->khz;
	machine.smp.idle_spins = option_enum(&option_idle) == IDLE_SPIN;
}

/* In both: a call more would count as the waiter's own work. */
static inline __attribute__((always_inline)) u64 wait_loop(const struct word *w, enum wait_for cond, u64 operand, const char *what,
							     bool serve)
{
	struct smp_cpu *smp = &this_cpu()->smp;
	u64 begin = clock_sample();
	struct watch watch;
	u64 value;

	store_relaxed(&smp->wait.since, watch_start(&watch));
	store_relaxed(&smp->wait.what, (u64)what);
	while (!wait_satisfied(value = load_acquire(w), cond, operand)) {
		/*
		 * Two initiators with interrupts off that wait for each other's acknowledgement would wait for ever: each does
		 * the other's request here.
		 */
		if (serve && !irq_enabled())
			call_serve();
		watch_check(&watch, w, what);
		wait_pause(w, value);
	}
	store_relaxed(&smp->wait.what, 0);
	add_owner(&smp->progress, 1);
	smp->wait_ticks += clock_sample() - begin;
	return value;
}

u64 wait_slowly(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	return wait_loop(w, cond, operand, what, true);
}

u64 wait_alone(const struct word *w, enum wait_for cond, u64 operand, const char *what)
{
	return wait_loop(w, cond, operand, what, false);
}

u64 wait_idle(const struct word *w, enum wait_for cond, u64 operand, const char *what, bool forever)
{
	struct smp_cpu *smp = &this_cpu()->smp;
	u64 limit = forever ? 0 : machine.smp.watchdog_ticks;
	struct watch watch;
	bool irqs = irq_save_for("a wait without work");
	u64 value;

	store_relaxed(&smp->wait.since, watch_start(&watch));
	store_relaxed(&smp->wait.what, (u64)what);
	store_relaxed(&smp->wait.halted, !machine.smp.idle_spins);
	/*
	 * Orders the store to halted before the load of *w below. Partner: the barrier in cpu_wake(), between the waker's store to
	 * *w and its load of halted. Without both, this CPU could read the old *w while the waker reads halted = 0: asleep, nobody
	 * wakes it.
	 */
	barrier_full();
	while (!wait_satisfied(value = load_acquire(w), cond, operand)) {
		if (machine.smp.idle_spins) {
			irq_enable();
			wait_pause(w, value);
			irq_save();
		} else {
			/* Interrupts are off since before the load of *w: a wake-up sent meanwhile is pending and ends the halt. */
			wait_halt(w, value, limit);
		}
		if (!forever)
			watch_check(&watch, w, what);
	}
	store_relaxed(&smp->wait.halted, 0);
	store_relaxed(&smp->wait.what, 0);
	add_owner(&smp->progress, 1);
	irq_restore(irqs);
	return value;
}

void cpu_wake(unsigned cpu)
{
	/* Orders the caller's store to the word before the load of halted; partner: wait_idle(). */
	barrier_full();
	if (load_relaxed(&machine.cpu[cpu].smp.wait.halted))
		ipi_send_one(IPI_WAKE, cpu);
}

void wait_briefly(u64 ticks)
{
	u64 begin = clock_now();

	while (clock_now() - begin < ticks)
		wait_pause(&this_cpu()->smp.wait.what, ~0ull); /* no word to wait for: it never has that value */
}
