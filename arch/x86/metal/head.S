/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From the loader to C. One 32-bit entry for multiboot2 (eax = magic, ebx = information) and PVH (ebx = start information), at the
 * physical address: boot tables, long mode, the upper half, x86_start(). State: the boot tables, the boot CPU's stacks.
 *
 * The boot tables map the first 4 GiB with 2 MiB pages three times: at 0, at DIRECT_MAP, and the lower 2 GiB of it at IMAGE_MAP.
 * They stay: CPUs that start later pass through them. (Multiboot2 specification 3.1; xen/include/public/arch-x86/hvm/start_info.h)
 */
#include "arch/x86/regs.h"

#define PHYS(symbol) ((symbol) - IMAGE_MAP)
#define ROOT_SLOT(va) (((va) >> 39) & 511)

	.section .head, "ax"
	.balign 8
multiboot2_header:
	.long 0xe85250d6, 0, multiboot2_end - multiboot2_header
	.long -(0xe85250d6 + (multiboot2_end - multiboot2_header))
	.word 0, 0 /* end tag */
	.long 8
multiboot2_end:

	.section .note.pvh, "a", @note
	.long 4, 8, 18 /* XEN_ELFNOTE_PHYS32_ENTRY */
	.asciz "Xen"
	.quad PHYS(start)

	.section .head, "ax"
	.code32
	.globl start
start:
	cli
	cld
	mov	$PHYS(boot_stacks + 0x1000 + STACK_BYTES), %esp
	/* edi, esi: arguments of x86_start(protocol, info) */
	mov	%ebx, %esi
	xor	%edi, %edi /* PROTOCOL_MULTIBOOT2 */
	cmp	$MULTIBOOT2_MAGIC, %eax
	je	1f
	inc	%edi /* PROTOCOL_PVH */
	cmpl	$PVH_MAGIC, (%ebx)
	jne	no_protocol
1:	mov	$0x80000000, %eax
	cpuid
	cmp	$0x80000001, %eax
	jb	no_long_mode
	mov	$0x80000001, %eax
	cpuid
	bt	$29, %edx
	jnc	no_long_mode
	bt	$20, %edx
	jnc	no_execute_disable

	/* Directories: 4 * 512 pages of 2 MiB; present, writable, large. */
	mov	$PHYS(boot_directories), %ebx
	mov	$0x83, %eax
	xor	%edx, %edx
	mov	$2048, %ecx
2:	mov	%eax, (%ebx)
	mov	%edx, 4(%ebx)
	add	$0x200000, %eax
	add	$8, %ebx
	loop	2b
	mov	$PHYS(boot_directories) + 3, %eax
	mov	%eax, PHYS(boot_low) + 0
	mov	%eax, PHYS(boot_high) + 8 * 510
	add	$0x1000, %eax
	mov	%eax, PHYS(boot_low) + 8
	mov	%eax, PHYS(boot_high) + 8 * 511
	add	$0x1000, %eax
	mov	%eax, PHYS(boot_low) + 16
	add	$0x1000, %eax
	mov	%eax, PHYS(boot_low) + 24
	movl	$PHYS(boot_low) + 3, PHYS(boot_root)
	movl	$PHYS(boot_low) + 3, PHYS(boot_root) + 8 * ROOT_SLOT(DIRECT_MAP)
	movl	$PHYS(boot_high) + 3, PHYS(boot_root) + 8 * 511

	mov	$PHYS(x86_boot_entry), %ebp
	jmp	enter_long_mode

/* To 64-bit code at the physical address in ebp, on the boot tables. Keeps edi, esi, esp. */
	.globl enter_long_mode
enter_long_mode:
	mov	$CR4_PAE, %eax
	mov	%eax, %cr4
	mov	$PHYS(boot_root), %eax
	mov	%eax, %cr3
	mov	$MSR_EFER, %ecx
	mov	$(EFER_LME | EFER_NXE), %eax
	xor	%edx, %edx
	wrmsr
	mov	$CR0_WHOLE, %eax
	mov	%eax, %cr0
	lgdt	PHYS(boot_gdt_pointer)
	ljmp	$SELECTOR_CODE, $PHYS(3f)

	.code64
3:	mov	$SELECTOR_DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	jmp	*%rbp

x86_boot_entry:
	movabs	$(boot_stacks + 0x1000 + STACK_BYTES), %rsp
	xor	%ebp, %ebp
	movabs	$x86_start, %rax
	call	*%rax
	ud2

	.code32
no_protocol:
	mov	$PHYS(text_no_protocol), %esi
	jmp	say
no_execute_disable:
	mov	$PHYS(text_no_execute_disable), %esi
	jmp	say
no_long_mode:
	mov	$PHYS(text_no_long_mode), %esi
/* Text at esi to the first serial port and to the VGA text screen; the end. */
say:
	mov	$0xb8000, %edi
4:	lodsb
	test	%al, %al
	jz	7f
	mov	%al, (%edi)
	movb	$0x0f, 1(%edi)
	add	$2, %edi
	mov	%al, %bl
	mov	$0x3fd, %edx
	mov	$100000, %ecx
5:	in	%dx, %al
	test	$0x20, %al
	loopz	5b
	mov	%bl, %al
	mov	$0x3f8, %edx
	out	%al, %dx
	jmp	4b
7:	hlt
	jmp	7b

text_no_protocol:
	.asciz "\r\ntlblab: started neither by multiboot2 nor by PVH\r\n"
text_no_long_mode:
	.asciz "\r\ntlblab: this CPU has no 64-bit long mode, which is needed\r\n"
text_no_execute_disable:
	.asciz "\r\ntlblab: this CPU has no execute-disable bit (NX), which is needed\r\n"

	.balign 8
boot_gdt:
	.quad 0, 0x00af9b000000ffff, 0x00cf93000000ffff
boot_gdt_pointer:
	.word boot_gdt_pointer - boot_gdt - 1
	.quad PHYS(boot_gdt)

	.section .bss.boot, "aw", @nobits
	.balign 4096
boot_root: .skip 4096
boot_low: .skip 4096
boot_high: .skip 4096
boot_directories: .skip 4 * 4096
	.globl boot_stacks
boot_stacks: .skip STACKS_BYTES

	.section .note.GNU-stack, "", @progbits
