/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam between the port and the machine: one instruction each. What is built of them (arch/x86) is portable C and
 * doesn't know who executes them: <machine/insn.h> is inline assembly on metal.
 */
#ifndef ARCH_X86_INSN_H
#define ARCH_X86_INSN_H

#include "arch/x86/cpuid.h"
#include "arch/x86/regs.h"
#include "types.h"

struct msr {
	u64 value;
	bool fault; /* #GP: there is no such MSR, or not with this value */
};

struct __attribute__((packed)) descriptor_table { /* operand of LGDT, LIDT */
	u16 limit;
	u64 base;
};

/* Translations (SDM vol. 3A 4.10.4). */
static inline void invlpg(struct va va); /* one page, global or not; all walk caches of the current PCID */
static inline u64 read_cr3(void);
static inline void write_cr3(u64 value); /* drops non-global entries of the PCID unless bit 63 is set */
static inline u64 read_cr4(void);
static inline void write_cr4(u64 value); /* a change of PGE drops everything */
static inline u64 read_cr0(void);
static inline void write_cr0(u64 value);
static inline u64 read_cr2(void); /* address of the last page fault */

/* Types: INVPCID_*. #UD without the feature; #GP: a PCID other than 0 without PCIDE, INVPCID_PAGE of a va that is not canonical. */
static inline void invpcid(unsigned type, u64 pcid, struct va va);

/* Broadcast; operands as in APM vol. 3. Neither ordered after earlier stores nor done before tlbsync(). #UD without the feature. */
static inline void invlpgb(u64 rax, u32 ecx, u32 edx);
static inline void tlbsync(void); /* waits until what this CPU broadcast is done everywhere */

/* Order. LFENCE: nothing later starts before everything earlier has completed locally. */
static inline void mfence(void);
static inline void lfence(void);
static inline void pause(void);
static inline void locked_add_stack(void); /* LOCK ADD $0 to the stack: full order for memory, cheaper than MFENCE */

/* Model-specific registers, identity, time. */
static inline u64 rdmsr(u32 msr); /* must exist */
static inline void wrmsr(u32 msr, u64 value);
static inline struct msr rdmsr_safe(u32 msr);
static inline bool wrmsr_safe(u32 msr, u64 value); /* false: it faulted */
static inline struct cpuid cpuid(u32 leaf, u32 subleaf);
static inline u64 rdtsc(void);

/* Interrupts. */
static inline u64 read_flags(void);
static inline void cli(void);
static inline void sti(void);
static inline void sti_hlt(void); /* no interrupt is taken between the two: one that is pending ends the halt */
static inline void hlt(void);

/* Rights: with SMAP, supervisor accesses to user pages between these two only. #UD without SMAP. */
static inline void stac(void);
static inline void clac(void);

/* Tables of this CPU. */
static inline void lgdt(const struct descriptor_table *table); /* and reloads every segment register */
static inline void lidt(const struct descriptor_table *table);
static inline void ltr(u16 selector);

/* I/O ports. */
static inline u8 in8(u16 port);
static inline u16 in16(u16 port);
static inline u32 in32(u16 port);
static inline void out8(u16 port, u8 value);
static inline void out16(u16 port, u16 value);

/*
 * Local APIC. xAPIC: 32-bit uncached accesses to its page; x2APIC: MSRs, whose writes are not ordered after earlier stores.
 * xapic_icr() waits for the delivery status to be idle before it writes (SDM vol. 3A 11.6.1): two stores, the second one sends.
 */
static inline u32 xapic_read(u32 reg);
static inline void xapic_write(u32 reg, u32 value);
static inline void xapic_icr(u32 hw_id, u32 command);
static inline void x2apic_icr(u32 hw_id, u32 command);

#include <machine/insn.h>

#endif
