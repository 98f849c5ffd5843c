/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entries. There is no EL0 and everything runs on SP_EL1, so one group of four vectors is used; the others are fatal.
 * Exceptions save everything in a struct trap_frame; interrupts the registers that C may change.
 *
 * A stack that has overflowed can't be written to. Bit 14 of its addresses is set, below it is clear (regs.h): that is looked at
 * without memory, and the report runs on the block's other stack.
 */
#include "arch/arm64/regs.h"

#define KIND_OVERFLOW 16

.macro VECTOR kind
	.balign 128
	sub	sp, sp, #FRAME_BYTES
	add	sp, sp, x0
	sub	x0, sp, x0
	tbz	x0, #STACK_BIT, 1f
	sub	x0, sp, x0
	sub	sp, sp, x0
	stp	x0, x1, [sp]
	mov	x1, #\kind
	b	trap_common
1:	sub	x0, sp, x0
	sub	sp, sp, x0
	b	overflow
.endm

	.section .text
	.balign 2048
	.globl vectors
vectors:
	VECTOR 0
	VECTOR 1
	VECTOR 2
	VECTOR 3
	VECTOR 4 /* this level, own stack: synchronous */
	.balign 128
	b	entry_interrupt
	VECTOR 6 /* FIQ */
	VECTOR 7 /* SError */
	VECTOR 8
	VECTOR 9
	VECTOR 10
	VECTOR 11
	VECTOR 12
	VECTOR 13
	VECTOR 14
	VECTOR 15

/* A fatal end: EL0's thread registers are free for it. */
overflow:
	msr	tpidrro_el0, x0
	mov	x0, sp
	add	x0, x0, #FRAME_BYTES
	msr	tpidr_el0, x0
	sub	x0, x0, #FRAME_BYTES
	orr	x0, x0, #(STACKS_BYTES - 1)
	add	x0, x0, #1
	sub	x0, x0, #FRAME_BYTES
	mov	sp, x0
	mrs	x0, tpidrro_el0
	stp	x0, x1, [sp]
	mrs	x1, tpidr_el0
	str	x1, [sp, #248]
	mov	x1, #KIND_OVERFLOW
	b	save_rest

trap_common:
	stp	x2, x3, [sp, #16]
	add	x2, sp, #FRAME_BYTES
	str	x2, [sp, #248]
	ldp	x2, x3, [sp, #16]
save_rest:
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	stp	x18, x19, [sp, #144]
	stp	x20, x21, [sp, #160]
	stp	x22, x23, [sp, #176]
	stp	x24, x25, [sp, #192]
	stp	x26, x27, [sp, #208]
	stp	x28, x29, [sp, #224]
	str	x30, [sp, #240]
	mrs	x2, elr_el1
	mrs	x3, spsr_el1
	stp	x2, x3, [sp, #256]
	mrs	x2, esr_el1
	mov	x0, sp
	bl	trap
	ldp	x2, x3, [sp, #256]
	msr	elr_el1, x2
	msr	spsr_el1, x3
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldp	x8, x9, [sp, #64]
	ldp	x10, x11, [sp, #80]
	ldp	x12, x13, [sp, #96]
	ldp	x14, x15, [sp, #112]
	ldp	x16, x17, [sp, #128]
	ldp	x18, x19, [sp, #144]
	ldp	x20, x21, [sp, #160]
	ldp	x22, x23, [sp, #176]
	ldp	x24, x25, [sp, #192]
	ldp	x26, x27, [sp, #208]
	ldp	x28, x29, [sp, #224]
	ldr	x30, [sp, #240]
	add	sp, sp, #FRAME_BYTES
	eret

/*
 * The yardstick, by hand: store one word (its address is in TPIDRRO_EL0), end of interrupt, return. Everything else goes to C.
 * gic_iar: where GIC version 2 is acknowledged, with the end of interrupt in the next word; 0: version 3, by its registers.
 */
entry_interrupt:
	sub	sp, sp, #192
	stp	x0, x1, [sp]
	adrp	x1, gic_iar
	ldr	x1, [x1, #:lo12:gic_iar]
	cbnz	x1, 1f
	mrs	x0, s3_0_c12_c12_0 /* ICC_IAR1_EL1 */
	cmp	w0, #SGI_YARDSTICK
	b.ne	2f
	mrs	x1, tpidrro_el0
	mov	x0, #1
	str	x0, [x1]
	mov	x0, #SGI_YARDSTICK
	msr	s3_0_c12_c12_1, x0 /* ICC_EOIR1_EL1 */
	ldp	x0, x1, [sp]
	add	sp, sp, #192
	eret
1:	ldr	w0, [x1]
	and	w1, w0, #0x3ff /* above: who sent it */
	cmp	w1, #SGI_YARDSTICK
	b.ne	2f
	str	x0, [sp, #16]
	mrs	x1, tpidrro_el0
	mov	x0, #1
	str	x0, [x1]
	adrp	x1, gic_iar
	ldr	x1, [x1, #:lo12:gic_iar]
	ldr	x0, [sp, #16]
	str	w0, [x1, #GICC_EOIR - GICC_IAR]
	ldp	x0, x1, [sp]
	add	sp, sp, #192
	eret
2:	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	stp	x18, x29, [sp, #144]
	mrs	x1, elr_el1
	mrs	x2, spsr_el1
	stp	x30, x1, [sp, #160]
	str	x2, [sp, #176]
	bl	interrupt
	ldr	x1, [sp, #176]
	ldp	x30, x0, [sp, #160]
	msr	elr_el1, x0
	msr	spsr_el1, x1
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldp	x8, x9, [sp, #64]
	ldp	x10, x11, [sp, #80]
	ldp	x12, x13, [sp, #96]
	ldp	x14, x15, [sp, #112]
	ldp	x16, x17, [sp, #128]
	ldp	x18, x29, [sp, #144]
	add	sp, sp, #192
	eret

	.section .note.GNU-stack, "", @progbits
