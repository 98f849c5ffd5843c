/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of arm64: register fields, interrupt ids, the GIC's registers, where the kernel's windows lie. Included by assembly too.
 * (Arm ARM DDI 0487 D19; GIC architecture IHI 0069, IHI 0048)
 */
#ifndef ARCH_ARM64_REGS_H
#define ARCH_ARM64_REGS_H

#ifdef __ASSEMBLER__
#define U64(x) x
#else
#define U64(x) x##ull
#endif

/*
 * Virtual layout, all under TTBR1: it translates the upper half, TTBR0 the lower one, each by 48 bits. Each window has root
 * entries of its own (pt_index(va, 3)). The image may be loaded at any multiple of 2 MiB, and always runs at IMAGE_MAP.
 */
#define DIRECT_MAP U64(0xffff000000000000) /* physical address 0 and up */
#define DIRECT_MAP_BYTES U64(0x400000000000) /* 64 TiB */
#define DEVICE_MAP U64(0xfffffe0000000000)
#define STACK_MAP U64(0xffffff0000000000) /* stacks of CPUs other than the boot CPU */
#define IMAGE_MAP U64(0xffffffff80000000)

/* One CPU's block, a multiple of 64 KiB: nothing, stack, nothing, stack for the report of an overflow. Bit 14 tells which. */
#define STACKS_BYTES 0x10000
#define STACK_BYTES 0x4000
#define STACK_BIT 14
#define STACK_TOP 0x8000
#define STACK_TOP_OVERFLOW 0x10000

#define FRAME_BYTES 272 /* struct trap_frame */

#define SCTLR_RES1 0x30d00800 /* bits that were 1 in Armv8.0; where they mean something by now, that is what they meant then */
#define SCTLR_M 1
#define SCTLR_C (1 << 2)
#define SCTLR_SA (1 << 3)
#define SCTLR_I (1 << 12)
#define SCTLR_WHOLE (SCTLR_RES1 | SCTLR_M | SCTLR_C | SCTLR_SA | SCTLR_I)

#define MAIR_WHOLE 0x04ff /* 0: normal, write-back; 1: device nGnRE */

/*
 * Both halves: 48 bits, 4 KiB, walks and tables inner shareable write-back. ASID in TTBR0 (A1 clear). IPS (bits 34:32), AS and HA
 * are added as the CPU has them.
 */
#define TCR_HALF (16 | 1 << 8 | 1 << 10 | 3 << 12)
#define TCR_BASE (TCR_HALF | U64(TCR_HALF) << 16 | U64(2) << 30)
#define TCR_AS (U64(1) << 36) /* 16 bits of ASID */
#define ISAR0_TLB_SHIFT 56 /* ID_AA64ISAR0_EL1.TLB: 1 = OS forms, 2 = ranges too */
#define MMFR2_TTL_SHIFT 48
#define TCR_HA (U64(1) << 39) /* hardware sets the access flag */

#define TTBR_ASID_SHIFT 48

#define HCR_RW (U64(1) << 31)
#define HCR_E2H_BIT 34

#define PSTATE_EL1H 0x3c5 /* EL1 with its own stack, all masked */
#define PSTATE_I (1 << 7)

/* Software generated interrupts, by enum ipi; then the others. */
#define NR_SGIS 16
#define SGI_YARDSTICK 2
#define INTID_SPURIOUS 1020 /* and above: nothing */

#define GICD_CTLR 0x0
#define GICD_IGROUPR 0x80
#define GICD_ISENABLER 0x100
#define GICD_ICENABLER 0x180
#define GICD_IPRIORITYR 0x400
#define GICD_SGIR 0xf00
#define GICD_CTLR_GRP0 1 /* version 2 without the security extensions: what there is */
#define GICD_CTLR_GRP1 2
#define GICD_CTLR_ARE (1 << 4)
#define GICD_CTLR_BUSY (U64(1) << 31)

#define GICC_CTLR 0x0
#define GICC_PMR 0x4
#define GICC_IAR 0xc
#define GICC_EOIR 0x10

#define GICR_WAKER 0x14
#define GICR_TYPER 0x8
#define GICR_SGI 0x10000 /* second frame: IGROUPR0 and so on, as in the distributor */
#define GICR_BYTES 0x20000
#define GICR_BYTES_V4 0x40000
#define WAKER_SLEEP (1 << 1)
#define WAKER_CHILDREN_ASLEEP (1 << 2)
#define TYPER_LAST (1 << 4)
#define TYPER_VLPIS (1 << 1)

#define PRIORITY 0xa0

#define PSCI_SYSTEM_OFF 0x84000008
#define PSCI_SYSTEM_RESET 0x84000009
#define PSCI_CPU_ON 0xc4000003

#endif
