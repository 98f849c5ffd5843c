/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_RUN_H
#define BOOT_RUN_H

/* Everything the command line asks for, from strategies to benchmarks; CPUs are up, frames are there. Worsens the verdict. */
void run_all(void);

/* What fault= asks for; returns if that is nothing. */
void inject_fault(void);

#endif
