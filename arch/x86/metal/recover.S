/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that may fault and are recovered from, and the table that says so: pairs (address of the instruction, where
 * to go on). trap.c looks a faulting address up in it. va_load and va_store return struct access in rax:rdx, the MSR ones
 * struct msr.
 */
	.section .text

#define RECOVER(insn, fixup) .pushsection .recover, "a"; .quad insn, fixup; .popsection

/* struct access recover_load(struct va va) */
	.globl recover_load
recover_load:
	xor	%edx, %edx
1:	mov	(%rdi), %rax
	ret
RECOVER(1b, faulted)

/* struct access recover_store(struct va va, u64 value) */
	.globl recover_store
recover_store:
	xor	%edx, %edx
	xor	%eax, %eax
1:	mov	%rsi, (%rdi)
	ret
RECOVER(1b, faulted)

/* struct msr recover_rdmsr(u32 msr) */
	.globl recover_rdmsr
recover_rdmsr:
	mov	%edi, %ecx
1:	rdmsr
	shl	$32, %rdx
	or	%rdx, %rax
	xor	%edx, %edx
	ret
RECOVER(1b, faulted)

faulted:
	xor	%eax, %eax
	mov	$1, %edx
	ret

/* bool recover_wrmsr(u32 msr, u64 value) */
	.globl recover_wrmsr
recover_wrmsr:
	mov	%edi, %ecx
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
1:	wrmsr
	mov	$1, %eax
	ret
2:	xor	%eax, %eax
	ret
RECOVER(1b, 2b)

	.section .note.GNU-stack, "", @progbits
