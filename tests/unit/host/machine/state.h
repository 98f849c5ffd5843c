/* SPDX-License-Identifier: BSD-2-Clause */
/* The host has no hardware state. */
#ifndef MACHINE_STATE_H
#define MACHINE_STATE_H

struct arch_cpu {
	char unused;
};

struct arch_state {
	char unused;
};

#endif
