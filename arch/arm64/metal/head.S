/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From the loader to C: the header of a Linux arm64 Image (Linux Documentation/arm64/booting.rst), EL2 left for EL1, boot tables,
 * MMU, the upper half, arm64_start(). And where the other CPUs start. State: the boot tables, the boot CPU's stacks.
 *
 * Until the MMU is on this runs at its physical address, so nothing here may use an address that was linked, and .start is in
 * the image's first 2 MiB. The boot tables map that much one to one (TTBR0), and the image at IMAGE_MAP (TTBR1); C adds windows.
 * They stay: CPUs that start later pass through them.
 */
#include "arch/arm64/regs.h"

#define TABLE 3
#define BLOCK (U64(1) << 54 | 0x701) /* normal memory, read, write and (EL1) execute; valid, accessed, inner shareable */
#define BLOCK_NG (BLOCK | 0x800)

	.section .head, "ax"
	.globl image_start
image_start:
	ccmp	x18, #0, #13, pl /* its code begins with "MZ", which makes it a PE file for UEFI; it has no effect */
	b	primary
	.quad	0 /* from a multiple of 2 MiB: how far */
	.quad	image_bytes /* bss included */
	.quad	0xa /* little endian, 4 KiB pages, anywhere in memory */
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.long	pe_offset

	.section .start, "ax"
/* From efi_leave(): x0 = what the EFI stub hands over. MMU and data cache off, the image clean in memory, as for `primary`. */
	.globl primary_efi
primary_efi:
	mov	x23, #1
	b	1f
primary:
	mov	x23, xzr
1:	mov	x20, x0 /* the device tree, or the stub's struct */
	adrp	x21, image_start
	mrs	x22, CurrentEL
	bl	to_el1

	/* The tables are written past the caches: nothing older may be in them, neither before nor after. */
	bl	invalidate_tables
	adrp	x0, boot_tables
	adrp	x1, boot_tables_end
1:	stp	xzr, xzr, [x0], #16
	cmp	x0, x1
	b.lo	1b

	/* One to one: the 2 MiB that the image begins with. */
	adrp	x0, boot_low_l0
	adrp	x1, boot_low_l1
	orr	x2, x1, #TABLE
	ubfx	x3, x21, #39, #9
	str	x2, [x0, x3, lsl #3]
	adrp	x0, boot_low_l2
	orr	x2, x0, #TABLE
	ubfx	x3, x21, #30, #9
	str	x2, [x1, x3, lsl #3]
	ldr	x2, =BLOCK_NG
	orr	x2, x2, x21
	ubfx	x3, x21, #21, #9
	str	x2, [x0, x3, lsl #3]

	/* The image at IMAGE_MAP: root entry 511, then 510. */
	adrp	x0, boot_root
	adrp	x1, boot_image_l1
	orr	x2, x1, #TABLE
	str	x2, [x0, #511 * 8]
	adrp	x0, boot_image_l2
	orr	x2, x0, #TABLE
	str	x2, [x1, #510 * 8]
	ldr	x2, =BLOCK
	orr	x2, x2, x21
	ldr	x3, =image_bytes
1:	str	x2, [x0], #8
	add	x2, x2, #0x200000
	subs	x3, x3, #0x200000
	b.hi	1b
	bl	invalidate_tables

	bl	enable_mmu
	ldr	x0, =2f
	br	x0
2:	ldr	x0, =bss_start
	ldr	x1, =image_end
1:	stp	xzr, xzr, [x0], #16
	cmp	x0, x1
	b.lo	1b
	ldr	x0, =boot_stacks + STACK_TOP
	mov	sp, x0
	mov	x29, xzr
	mov	x0, x20
	mov	x1, x21
	ubfx	x2, x22, #2, #2
	mov	x3, x23
	bl	arm64_start
	brk	#0

/* CPU_ON's entry: x0 = position in the list of CPUs, as at the boot CPU: MMU off, same exception level as that had. */
	.globl secondary_start
secondary_start:
	mov	x20, x0
	bl	to_el1
	bl	enable_mmu
	ldr	x0, =1f
	br	x0
1:	ldr	x0, =final_root
	ldr	x0, [x0]
	ldr	x1, =image_pa
	ldr	x1, [x1]
	bl	switch_kernel_root
	ldr	x0, =STACK_MAP + STACK_TOP
	sub	x1, x20, #1
	mov	x2, #STACKS_BYTES
	madd	x0, x1, x2, x0
	mov	sp, x0
	mov	x29, xzr
	mov	x0, x20
	bl	arm64_secondary
	brk	#0

/*
 * switch_kernel_root(root, image_pa): another TTBR1. From where we run one to one, because between the two roots there must be
 * nothing that is cached of the first: what are blocks in one are pages in the other (break-before-make).
 */
	.globl switch_kernel_root
switch_kernel_root:
	adr	x2, 1f
	ldr	x3, =IMAGE_MAP
	sub	x2, x2, x3
	add	x2, x2, x1
	ldr	x3, =empty_root - IMAGE_MAP
	add	x3, x3, x1
	br	x2
1:	msr	ttbr1_el1, x3
	isb
	tlbi	vmalle1
	dsb	nsh
	isb
	msr	ttbr1_el1, x0
	isb
	ret

/* To EL1 with the MMU off, interrupts masked, from EL2 or EL1. Uses x0 to x2. */
to_el1:
	msr	daifset, #15
	mrs	x0, CurrentEL
	cmp	x0, #8
	b.ne	3f
	ldr	x0, =0x30c50830 /* SCTLR_EL2: bits that are 1, MMU and caches off */
	msr	sctlr_el2, x0
	/*
	 * The whole value: no FB, TTLB, VM, TGE, E2H: TLBIs do what they say, and reach who they say. CPUs without FEAT_E2H0 keep
	 * E2H at 1; without TGE that changes nothing for EL1, but names and layouts of registers here (Arm ARM, HCR_EL2.E2H).
	 */
	ldr	x0, =HCR_RW
	msr	hcr_el2, x0
	isb
	msr	vttbr_el2, xzr /* one VMID on all CPUs: TLBIs are by it */
	msr	cntvoff_el2, xzr
	mov	x0, #3 /* EL1 has counter and timer */
	mov	x1, #0x33ff /* FP is not trapped */
	mrs	x2, hcr_el2
	tbz	x2, #HCR_E2H_BIT, 4f
	mov	x0, #3 << 10 /* E2H stayed 1: the same, where the bits are then */
	mov	x1, #3 << 20
4:	msr	cnthctl_el2, x0
	msr	cptr_el2, x1
	msr	hstr_el2, xzr
	mrs	x0, mdcr_el2
	and	x0, x0, #0x1f /* counters for EL1 as they are; no traps */
	msr	mdcr_el2, x0
	mrs	x0, midr_el1
	msr	vpidr_el2, x0
	mrs	x0, mpidr_el1
	msr	vmpidr_el2, x0
	mrs	x0, id_aa64pfr0_el1
	ubfx	x0, x0, #24, #4
	cbz	x0, 1f
	mrs	x0, s3_4_c12_c9_5 /* ICC_SRE_EL2: EL1 uses the GIC's registers */
	orr	x0, x0, #8
	orr	x0, x0, #1
	msr	s3_4_c12_c9_5, x0
	isb
	msr	s3_4_c12_c11_0, xzr /* ICH_HCR_EL2 */
1:	mrs	x0, id_aa64mmfr0_el1
	ubfx	x0, x0, #56, #4
	cbz	x0, 2f
	msr	s3_4_c1_c1_4, xzr /* fine-grained traps: HFGRTR, HFGWTR, HFGITR, HDFGRTR, HDFGWTR */
	msr	s3_4_c1_c1_5, xzr
	msr	s3_4_c1_c1_6, xzr
	msr	s3_4_c3_c1_4, xzr
	msr	s3_4_c3_c1_5, xzr
2:	ldr	x0, =SCTLR_RES1
	mrs	x2, hcr_el2
	tbnz	x2, #HCR_E2H_BIT, 4f
	msr	sctlr_el1, x0
	b	5f
4:	msr	s3_5_c1_c0_0, x0 /* SCTLR_EL12: EL1's; by its own name that is EL2's here */
5:	mov	x0, #PSTATE_EL1H
	msr	spsr_el2, x0
	msr	elr_el2, x30
	eret
3:	ldr	x0, =SCTLR_RES1
	msr	sctlr_el1, x0
	isb
	ret

/* On the boot tables. Uses x0 to x2. */
enable_mmu:
	ldr	x0, =TCR_BASE
	mrs	x1, id_aa64mmfr0_el1
	and	x2, x1, #15
	cmp	x2, #5 /* 48 bits of physical address; more would take another format */
	b.ls	1f
	mov	x2, #5
1:	bfi	x0, x2, #32, #3
	ubfx	x2, x1, #4, #4
	cmp	x2, #2
	b.ne	2f
	orr	x0, x0, #TCR_AS
2:	mrs	x1, id_aa64mmfr1_el1
	tst	x1, #15
	b.eq	3f
	orr	x0, x0, #TCR_HA
3:	msr	tcr_el1, x0
	ldr	x0, =MAIR_WHOLE
	msr	mair_el1, x0
	adrp	x0, boot_low_l0
	msr	ttbr0_el1, x0
	adrp	x0, boot_root
	msr	ttbr1_el1, x0
	msr	cpacr_el1, xzr
	isb
	tlbi	vmalle1
	ic	iallu
	dsb	nsh
	isb
	ldr	x0, =SCTLR_WHOLE
	msr	sctlr_el1, x0
	isb
	ret

/* Uses x0 to x3. */
invalidate_tables:
	mrs	x2, ctr_el0
	ubfx	x2, x2, #16, #4
	mov	x3, #4
	lsl	x2, x3, x2
	adrp	x0, boot_tables
	adrp	x1, boot_tables_end
	dmb	sy
1:	dc	ivac, x0
	add	x0, x0, x2
	cmp	x0, x1
	b.lo	1b
	dsb	sy
	ret

	.ltorg

	.section .bss.boot, "aw", @nobits
	.balign 65536
	.globl boot_stacks, boot_root, empty_root
boot_stacks:	.skip STACKS_BYTES
boot_tables:
boot_low_l0:	.skip 4096
boot_low_l1:	.skip 4096
boot_low_l2:	.skip 4096
boot_image_l1:	.skip 4096
boot_image_l2:	.skip 4096
boot_root:	.skip 4096
empty_root:	.skip 4096
boot_tables_end:

	.section .note.GNU-stack, "", @progbits
