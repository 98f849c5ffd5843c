/* SPDX-License-Identifier: BSD-2-Clause */
/* Fibers: a CPU of the simulator is one. Switched by hand (x86-64 hosts: callee-saved registers and the stack pointer). */
#ifndef SIM_FIBER_H
#define SIM_FIBER_H

#include <stddef.h>

struct fiber {
	void *sp;
	char *stack;
	size_t size;
};

/* (Re)starts f at `entry`, which never returns. The stack is allocated at the first start. */
void fiber_start(struct fiber *f, void (*entry)(void));

/* Goes on in `to`; returns when somebody switches back to `from`. */
void fiber_switch(struct fiber *from, struct fiber *to);

#endif
