/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_RUN_H
#define BOOT_RUN_H

#include "types.h"

/* Everything the command line asks for, from strategies to benchmarks; CPUs are up, frames are there. Worsens the verdict. */
void run_all(void);

/* What fault= asks for; returns if that is nothing, or nothing that ends the run. */
void inject_fault(void);

/* Whether it asks for a CPU that is listed and not there. */
bool fault_is_absent_cpu(void);

#endif
