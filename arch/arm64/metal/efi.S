/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The image as UEFI sees it, and the two ends of the EFI stub that are not C (stub.c). It is a PE file whose sections lie in the
 * file as in memory; firmware puts it at any multiple of 4 KiB, gives each section its rights, and calls efi_entry() with MMU and
 * caches on, one to one, at EL1 or EL2. Nothing is ever written to this copy. Owns no state. (Microsoft's PE Format; UEFI 2.3.6)
 */
#include "arch/arm64/regs.h"

#define SECTIONS 3
#define CODE 0x60000020 /* code; execute, read */
#define CONST 0x40000040 /* data; read */
#define DATA 0xc0000040 /* data; read, write */

	.section .pe, "a"
	.balign 8
	.globl pe_header
pe_header:
	.ascii	"PE\0\0"
	.short	0xaa64 /* arm64 */
	.short	SECTIONS
	.long	0, 0, 0
	.short	sections - optional
	.short	0x206 /* executable; no line numbers, no debug information */
optional:
	.short	0x20b /* PE32+ */
	.byte	0, 0
	.long	text_bytes
	.long	data_file_bytes
	.long	0
	.long	pe_entry
	.long	text_offset
	.quad	0 /* no address is preferred: there is nothing to relocate */
	.long	4096, 512 /* alignment in memory, in the file */
	.short	0, 0, 0, 0, 0, 0
	.long	0
	.long	image_bytes
	.long	text_offset /* of headers */
	.long	0
	.short	10 /* EFI application */
	.short	0x100 /* no section is both writable and executable, nor is anything executed that is not in one */
	.quad	0, 0, 0, 0
	.long	0
	.long	6 /* directories, all empty: older loaders look at the sixth */
	.quad	0, 0, 0, 0, 0, 0
sections:
	.ascii	".text\0\0\0"
	.long	text_bytes, text_offset, text_bytes, text_offset, 0, 0, 0, CODE
	.ascii	".rodata\0"
	.long	rodata_bytes, rodata_offset, rodata_bytes, rodata_offset, 0, 0, 0, CONST
	.ascii	".data\0\0\0"
	.long	data_bytes, data_offset, data_file_bytes, data_offset, 0, 0, 0, DATA

	.section .start, "ax"
/* efi_entry(handle, system table): its status comes back only if something is wrong. */
	.globl efi_entry
efi_entry:
	stp	x29, x30, [sp, #-16]!
	adrp	x2, image_start
	ldr	x3, =file_bytes
	ldr	x4, =image_bytes
	bl	efi_stub
	ldp	x29, x30, [sp], #16
	ret

/*
 * efi_leave(handoff, image, file_bytes): firmware is gone; to the image's copy at `image`, with the MMU off. That reads memory past
 * the caches, so what it will read before it turns the MMU on again must be there: clean the copy and what of this code runs
 * on with the MMU off (Arm ARM B2.10, D7.5). All else may stay in the caches, which are off for a while, not gone. The copy needs
 * no right to be executed in firmware's tables.
 */
	.globl efi_leave
efi_leave:
	msr	daifset, #15
	mov	x20, x0
	mov	x21, x1
	add	x1, x21, x2
	mov	x0, x21
	bl	clean
	adr	x0, mmu_off
	adr	x1, mmu_off_end
	bl	clean
	ldr	x22, =primary_offset
	add	x22, x22, x21
mmu_off:
	mrs	x0, CurrentEL
	cmp	x0, #8
	b.eq	1f
	mrs	x0, sctlr_el1
	bic	x0, x0, #SCTLR_M
	bic	x0, x0, #SCTLR_C
	msr	sctlr_el1, x0
	b	2f
1:	mrs	x0, sctlr_el2
	bic	x0, x0, #SCTLR_M
	bic	x0, x0, #SCTLR_C
	msr	sctlr_el2, x0
2:	isb
	ic	iallu /* of what was in the copy's place before */
	dsb	nsh
	isb
	mov	x0, x20
	br	x22
mmu_off_end:

/* Data and instructions of [x0, x1), to memory. Uses x0, x2, x3. */
clean:
	mrs	x2, ctr_el0
	ubfx	x2, x2, #16, #4
	mov	x3, #4
	lsl	x2, x3, x2
	sub	x3, x2, #1
	bic	x0, x0, x3
1:	dc	civac, x0
	add	x0, x0, x2
	cmp	x0, x1
	b.lo	1b
	dsb	sy
	ret

	.ltorg

	.section .note.GNU-stack, "", @progbits
