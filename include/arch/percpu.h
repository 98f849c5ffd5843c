/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: which CPU is this? struct cpu is in include/machine.h.
 */
#ifndef ARCH_PERCPU_H
#define ARCH_PERCPU_H

#include "types.h"

struct cpu;

/* This CPU's slot in machine.cpu[]. Valid once the CPU has been set up; nothing here ever migrates. */
static inline struct cpu *this_cpu(void);

#include <machine/percpu.h>

#endif
