/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fibers on x86-64 hosts. The switch saves what the ABI calls callee-saved on the old stack and takes the same from the new one:
 * about ten instructions. Under AddressSanitizer the switch is announced, else it takes the other stack for an overflow.
 */
#include "sim/fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define __sanitizer_start_switch_fiber(fake, bottom, size) ((void)(fake))
#define __sanitizer_finish_switch_fiber(fake, bottom, size) ((void)(fake), (void)(bottom), (void)(size))
#define __asan_unpoison_memory_region(start, size) ((void)(start))
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
    "fiber_first:\n" /* begin() is in rbx, its argument in r12 */
    "	xorl %ebp, %ebp\n"
    "	movq %r12, %rdi\n"
    "	call *%rbx\n"
    "	ud2\n");

static struct fiber *left; /* by the switch under way */

/* Here now. The first stack of all, which nobody started, becomes known by being left. */
static void arrived(void *fake)
{
	const void *bottom = NULL;
	size_t size = 0;

	__sanitizer_finish_switch_fiber(fake, &bottom, &size);
	if (!left->stack) {
		left->stack = (char *)bottom;
		left->size = size;
	}
}

static void begin(void (*entry)(void))
{
	arrived(NULL);
	entry();
}

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
	/* Whoever was here before was left in the middle. */
	__asan_unpoison_memory_region(f->stack, f->size);
	sp = (uint64_t *)(f->stack + f->size);
	*--sp = 0;
	*--sp = 0; /* the stack is aligned to 16 bytes where fiber_first calls */
	*--sp = (uint64_t)fiber_first;
	*--sp = (uint64_t)begin; /* rbx */
	*--sp = 0; /* rbp */
	*--sp = (uint64_t)entry; /* r12 */
	*--sp = 0;
	*--sp = 0;
	*--sp = 0; /* r15 */
	f->sp = sp;
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
	void *fake = NULL;

	left = from;
	__sanitizer_start_switch_fiber(&fake, to->stack, to->size);
	fiber_swap(&from->sp, to->sp);
	arrived(fake);
}
