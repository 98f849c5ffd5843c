/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupt and exception entries. There is no user mode: GS always holds the kernel's base and nothing is swapped. Exceptions (and
 * interrupts nobody asked for) save everything in a struct trap_frame; interrupts of ours save the caller-saved registers only.
 * At entry the CPU has aligned the stack to 16 bytes and pushed 5 words, or 6 with an error code.
 */
#include "arch/x86/regs.h"

/* Vectors whose exception pushes an error code: 8 10-14 17 21 29 30. */
#define ERROR_CODES 0x60227d00

	.section .text
	.balign 16
	.globl trap_entries
trap_entries: /* 256, 16 bytes apart */
	vector = 0
	.rept 256
	.balign 16
	has_code = 0
	.if vector < 32
	has_code = (ERROR_CODES >> vector) & 1
	.endif
	.if has_code == 0
	pushq	$0
	.endif
	pushq	$vector
	jmp	trap_common
	vector = vector + 1
	.endr

trap_common:
	pushq	%rax
	pushq	%rbx
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%rbp
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	mov	%rsp, %rdi
	mov	%rsp, %rbp
	and	$-16, %rsp
	call	trap
	mov	%rbp, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rbp
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rbx
	popq	%rax
	add	$16, %rsp
	iretq

/* 5 words of the CPU's and 9 of ours: the stack is aligned at the call. */
.macro INTERRUPT name, handler
	.balign 16
	.globl \name
\name:
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	call	\handler
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	iretq
.endm

INTERRUPT entry_call, interrupt_call
INTERRUPT entry_wake, interrupt_wake

/* The yardstick: store one word, end of interrupt, return. By mode of the APIC. */
	.balign 16
	.globl entry_yardstick_xapic
entry_yardstick_xapic:
	pushq	%rax
	mov	%gs:8, %rax
	movq	$1, (%rax)
	movabs	$(DEVICE_MAP + APIC_EOI), %rax
	movl	$0, (%rax)
	popq	%rax
	iretq

	.balign 16
	.globl entry_yardstick_x2apic
entry_yardstick_x2apic:
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	mov	%gs:8, %rax
	movq	$1, (%rax)
	mov	$(MSR_X2APIC + APIC_EOI / 16), %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr
	popq	%rdx
	popq	%rcx
	popq	%rax
	iretq

/* Nothing is to be done for a spurious interrupt, not even an end of interrupt. */
	.balign 16
	.globl entry_spurious
entry_spurious:
	iretq

	.section .note.GNU-stack, "", @progbits
