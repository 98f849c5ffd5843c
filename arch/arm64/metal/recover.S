/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that may fault and are recovered from, and the table that says so: pairs (address of the instruction, where to go
 * on). trap.c looks a faulting address up in it. All return struct access in x0, x1. LDTR and STTR access with the rights of EL0.
 */
	.section .text

#define RECOVER(insn, fixup) .pushsection .recover, "a"; .quad insn, fixup; .popsection

.macro LOAD name, op
	.globl \name
\name:	mov	x1, xzr
1:	\op	x0, [x0]
	ret
RECOVER(1b, faulted)
.endm

.macro STORE name, op
	.globl \name
\name:	mov	x2, x0
	mov	x3, x1
	mov	x0, xzr
	mov	x1, xzr
1:	\op	x3, [x2]
	ret
RECOVER(1b, faulted)
.endm

/* struct access recover_...(struct va va), (struct va va, u64 value) */
LOAD recover_load_user, ldtr
LOAD recover_load_kernel, ldr
STORE recover_store_user, sttr
STORE recover_store_kernel, str

/* struct access recover_semihosting(u64 operation, u64 argument): undefined where nobody answers. */
	.globl recover_semihosting
recover_semihosting:
1:	hlt	#0xf000
	mov	x1, xzr
	ret
RECOVER(1b, faulted)

faulted:
	mov	x0, xzr
	mov	x1, #1
	ret

/* u64 psci_smc(u64 function, u64 a, u64 b, u64 c), psci_hvc: results in x0 to x3, x4 to x17 may change as in any call. */
	.globl psci_smc, psci_hvc
psci_smc:
	smc	#0
	ret
psci_hvc:
	hvc	#0
	ret

	.section .note.GNU-stack, "", @progbits
