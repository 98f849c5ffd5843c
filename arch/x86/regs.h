/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of x86-64: control-register bits, MSRs, APIC registers, interrupt vectors, where the kernel's halves lie. Included by
 * assembly too. (SDM vol. 3A 2.5, 4.5, 11; vol. 4)
 */
#ifndef ARCH_X86_REGS_H
#define ARCH_X86_REGS_H

#ifdef __ASSEMBLER__
#define U64(x) x
#else
#define U64(x) x##ull
#endif

/* Virtual layout. Each window has root entries of its own (pt_index(va, 3)). */
#define DIRECT_MAP U64(0xffff888000000000) /* physical address 0 and up */
#define DIRECT_MAP_BYTES U64(0x400000000000) /* 64 TiB */
#define DEVICE_MAP U64(0xfffffe0000000000) /* uncached windows; the local APIC is the first page */
#define STACK_MAP U64(0xffffff0000000000) /* stacks of CPUs other than the boot CPU */
#define IMAGE_MAP U64(0xffffffff80000000) /* the image: physical address + IMAGE_MAP */
#define IMAGE_LOAD 0x200000 /* where the image is loaded */

#define CR0_WHOLE 0x80010033 /* PG WP NE ET MP PE; caches on (CD and NW clear) */
#define CR4_PAE (1 << 5)
#define CR4_MCE (1 << 6)
#define CR4_PGE (1 << 7)
#define CR4_UMIP (1 << 11)
#define CR4_PCIDE (1 << 17)
#define CR4_SMEP (1 << 20)
#define CR4_SMAP (1 << 21)

#define CR3_KEEP (U64(1) << 63) /* written with PCIDE: nothing is invalidated */

#define INVPCID_PAGE 0 /* one page of a PCID */
#define INVPCID_TAG 1 /* a PCID */
#define INVPCID_ALL 2 /* everything, global entries too */
#define INVPCID_NONGLOBAL 3 /* everything but those */

#define MSR_APIC_BASE 0x1b
#define MSR_MTRR_CAP 0xfe
#define MSR_MTRR_VAR 0x200
#define MSR_PAT 0x277
#define MSR_MTRR_DEF 0x2ff
#define MSR_X2APIC 0x800 /* + xAPIC register offset / 16 */
#define MSR_EFER 0xc0000080
#define MSR_GS_BASE 0xc0000101
#define MSR_AMD_DE_CFG 0xc0011029

#define EFER_LME (1 << 8)
#define EFER_LMA (1 << 10)
#define EFER_NXE (1 << 11)
#define EFER_WHOLE (EFER_LME | EFER_LMA | EFER_NXE) /* in particular not TCE: INVLPG drops all walk caches */

#define PAT_WHOLE U64(0x0007040600070406) /* WB WT UC- UC, twice: the power-on value; PCD|PWT selects UC */

#define FLAGS_IF (1 << 9)
#define FLAGS_AC (1 << 18)

#define APIC_ID 0x20
#define APIC_TPR 0x80
#define APIC_EOI 0xb0
#define APIC_SPIV 0xf0
#define APIC_ICR 0x300
#define APIC_ICR_HIGH 0x310
#define APIC_LVT_TIMER 0x320
#define APIC_LVT_LINT0 0x350
#define APIC_LVT_LINT1 0x360
#define APIC_LVT_ERROR 0x370
#define APIC_TIMER_INIT 0x380
#define APIC_TIMER_NOW 0x390
#define APIC_TIMER_DIV 0x3e0

#define ICR_FIXED 0x4000 /* level assert, edge, physical destination */
#define ICR_NMI 0x4400
#define ICR_INIT 0x4500
#define ICR_STARTUP 0x4600
#define ICR_ALL_BUT_SELF 0xc0000
#define ICR_BUSY 0x1000
#define LVT_MASKED 0x10000

#define VECTOR_TIMER 0xf0
#define VECTOR_CALL 0xf1
#define VECTOR_WAKE 0xf2
#define VECTOR_YARDSTICK 0xf3
#define VECTOR_SPURIOUS 0xff

#define SELECTOR_CODE 0x08
#define SELECTOR_DATA 0x10
#define SELECTOR_TSS 0x18

#define STACK_BYTES 0x4000 /* of a CPU */
#define IST_BYTES 0x2000 /* of each of NMI, #DF, #MC */
#define NR_IST 3
#define STACKS_BYTES 0x10000 /* one CPU's block: guard, stack, then NR_IST times guard, stack */

#define MULTIBOOT2_MAGIC 0x36d76289
#define PVH_MAGIC 0x336ec578

#endif
