/* SPDX-License-Identifier: BSD-2-Clause */
/* The world of x86's tests: two CPUs with PCIDE, tag n is PCID n. */
#ifndef SIM_X86_TEST_WORLD_H
#define SIM_X86_TEST_WORLD_H

#include "sim/test/test.h"
#include "sim/x86/x86.h"

#define RW (PTE_P | PTE_W | PTE_U)
#define MODEL_CR4 (MODEL_PGE | MODEL_PCIDE)

#endif
