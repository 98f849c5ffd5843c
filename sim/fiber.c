/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fibers on x86-64 hosts. The switch saves what the ABI calls callee-saved on the old stack and takes the same from the new one: about ten
 * instructions. Under AddressSanitizer the switch is announced, else it takes the other stack for an overflow.
 */
#include "sim/fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#define STACK_BYTES (64 << 10)

void fiber_swap(void **save, void *load);
void fiber_first(void);

asm(".text\n"
    ".globl fiber_swap\n"
    "fiber_swap:\n"
    "	pushq %rbx\n"
    "	pushq %rbp\n"
    "	pushq %r12\n"
    "	pushq %r13\n"
    "	pushq %r14\n"
    "	pushq %r15\n"
    "	movq %rsp, (%rdi)\n"
    "	movq %rsi, %rsp\n"
    "	popq %r15\n"
    "	popq %r14\n"
    "	popq %r13\n"
    "	popq %r12\n"
    "	popq %rbp\n"
    "	popq %rbx\n"
    "	ret\n"
    ".globl fiber_first\n"
    "fiber_first:\n" /* entry is in rbx */
    "	xorl %ebp, %ebp\n"
    "	call *%rbx\n"
    "	ud2\n");

void fiber_start(struct fiber *f, void (*entry)(void))
{
	uint64_t *sp;

	if (!f->stack) {
		f->size = STACK_BYTES;
		f->stack = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
		if (f->stack == MAP_FAILED) {
			perror("tlblab sim: stack of a fiber");
			exit(3);
		}
	}
	sp = (uint64_t *)(f->stack + f->size);
	*--sp = 0;
	*--sp = 0; /* the stack is aligned to 16 bytes where fiber_first calls */
	*--sp = (uint64_t)fiber_first;
	*--sp = (uint64_t)entry; /* rbx */
	*--sp = 0; /* rbp */
	*--sp = 0;
	*--sp = 0;
	*--sp = 0;
	*--sp = 0; /* r15 */
	f->sp = sp;
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
#if defined(__SANITIZE_ADDRESS__)
	void *fake;

	__sanitizer_start_switch_fiber(&fake, to->stack, to->size);
	fiber_swap(&from->sp, to->sp);
	__sanitizer_finish_switch_fiber(fake, NULL, NULL);
#else
	fiber_swap(&from->sp, to->sp);
#endif
}
