/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract, the other way: the only calls from arch/ to what stands above it. At most eight.
 */
#ifndef ARCH_UPCALL_H
#define ARCH_UPCALL_H

#include "arch/irq.h"
#include "types.h"

enum fault_access { FAULT_WRITE = 1, FAULT_EXEC = 2 };

/*
 * The boot CPU is in C: exceptions are caught, interrupts off, platform_boot_bytes() works. What the loader left is at `info`.
 * (boot/main.c)
 */
enum boot_protocol { PROTOCOL_MULTIBOOT2, PROTOCOL_PVH, PROTOCOL_FDT, PROTOCOL_EFI };
_Noreturn void upcall_boot(enum boot_protocol protocol, struct pa info);

/* CPU `cpu` (logical number) is set up, interrupts off. (boot/bringup.c) */
_Noreturn void upcall_cpu_started(unsigned cpu);

/* An IPI arrived; interrupts off. Not for IPI_WAKE, IPI_YARDSTICK. (smp/call.c) */
void upcall_ipi_call(void);

/*
 * fn(arg) on every CPU that is online, this one included, interrupts off there; returns when all are done. Not in a handler of a
 * call, nor while this CPU has a call under way. (smp/call.c)
 */
void upcall_call_all(void (*fn)(const void *arg), const void *arg);

/*
 * An access through va_load, va_store or by a user program faulted. True: repaired, do it again. Interrupts are as they were at
 * the access. (mm/fault.c)
 */
bool upcall_page_fault(struct va va, unsigned access);

/* IPI_SNAPSHOT: this CPU was at `pc` with interrupts as given. May interrupt anything: takes no lock. (smp/watchdog.c) */
void upcall_snapshot(u64 pc, bool irqs_on);

/* A fatal exception: `what` in one line, registers as lines in `report`. Print, end with verdict error. (boot/end.c) */
_Noreturn void upcall_fatal(const char *what, const char *report);

#endif
