/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a CPU starts after INIT-SIPI-SIPI: real mode, at the page that start.c copied this to. It takes the next free
 * block of stacks and ends in x86_ap_start(block). Position independent until it is in 32-bit mode, where it knows its
 * page from CS. (SDM vol. 3A 9.4.4)
 */
#include "arch/x86/regs.h"

#define PHYS(symbol) ((symbol) - IMAGE_MAP)

	.section .rodata
	.globl trampoline_start, trampoline_end
	.balign 16
	.code16
trampoline_start:
	cli
	cld
	mov	%cs, %ax
	mov	%ax, %ds
	xor	%ebx, %ebx
	mov	%ax, %bx
	shl	$4, %ebx /* physical address of the page */
	/* The table and the far jump hold addresses inside the page: every CPU writes the same ones. */
	lea	gdt - trampoline_start(%ebx), %eax
	mov	%eax, gdt_pointer - trampoline_start + 2
	lea	protected - trampoline_start(%ebx), %eax
	mov	%eax, far_pointer - trampoline_start
	lgdtl	gdt_pointer - trampoline_start
	mov	$0x11, %eax /* PE, ET; caches on */
	mov	%eax, %cr0
	ljmpl	*(far_pointer - trampoline_start)

	.code32
protected:
	mov	$0x10, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$PHYS(x86_ap_entry), %ebp
	mov	$PHYS(enter_long_mode), %eax
	jmp	*%eax

	.balign 8
gdt:
	.quad 0, 0x00cf9b000000ffff, 0x00cf93000000ffff
gdt_pointer:
	.word gdt_pointer - gdt - 1
	.long 0
far_pointer:
	.long 0
	.word 0x08
trampoline_end:

	.section .text
	.code64
x86_ap_entry:
	movabs	$x86_ap_upper, %rax
	jmp	*%rax

/* In the upper half, on the boot tables and without a stack: take a block, load the final tables (they map the stacks). */
x86_ap_upper:
	mov	$1, %edi
	lock xadd %edi, ap_blocks(%rip)
	cmp	ap_blocks_limit(%rip), %edi
	jae	1f
	mov	final_root(%rip), %rax
	mov	%rax, %cr3
	mov	%edi, %eax
	imul	$STACKS_BYTES, %rax, %rax
	movabs	$(STACK_MAP + 0x1000 + STACK_BYTES), %rsp
	add	%rax, %rsp
	xor	%ebp, %ebp
	call	x86_ap_start
	ud2
1:	hlt
	jmp	1b

	.section .bss.boot, "aw", @nobits
	.balign 8
	.globl ap_blocks, ap_blocks_limit, final_root
final_root: .skip 8 /* physical address */
ap_blocks: .skip 4 /* stack blocks taken */
ap_blocks_limit: .skip 4

	.section .note.GNU-stack, "", @progbits
