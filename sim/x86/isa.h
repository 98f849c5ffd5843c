/* SPDX-License-Identifier: BSD-2-Clause */
/* x86's part of sim/model.h: format of entries (SDM vol. 3A 4.5), registers, the store buffer, what CPUs have, what is broken. */
#ifndef SIM_ISA_H
#define SIM_ISA_H

#define ISA_NAME "x86"
#define STORE_BUFFER 8
#define STORES_IN_ORDER 1 /* they leave the buffer so */
#define LATE_LOADS 0 /* loads may return what memory was before */

#define PTE_P (1ull << 0)
#define PTE_W (1ull << 1)
#define PTE_U (1ull << 2)
#define PTE_A (1ull << 5)
#define PTE_D (1ull << 6)
#define PTE_PS (1ull << 7)
#define PTE_G (1ull << 8)
#define PTE_ADDR 0x000ffffffffff000ull
#define PTE_VOLATILE (PTE_A | PTE_D) /* what walkers change */

struct store {
	u64 *at;
	u64 value;
};

struct isa_cpu {
	struct store stores[STORE_BUFFER];
	unsigned nr_stores;
	u64 cr3, cr4, cr2, efer;
	u32 root_gen; /* of the root's frame when CR3 was loaded */
	bool wrote_table; /* since then; KNOB_FLUSH_FILTER */
};

struct isa_model {
	unsigned invlpgb_max; /* extra pages of one INVLPGB (CPUID 8000_0008 EDX) */
};

#define HAS_PCID (1u << 0)
#define HAS_INVPCID (1u << 1)
#define HAS_INVLPGB (1u << 2)
#define HAS_TCE (1u << 3)
#define HAS_ALL 15u

/* In the order of FLAG_NAMES. */
#define FLAG_PCID (1u << 0)
#define FLAG_INVPCID (1u << 1) /* for all that it can be used for */
#define FLAG_EMULATE (1u << 2) /* invlpgb=emulate, and pcid=soft without PCID */
#define FLAG_XAPIC (1u << 3) /* instead of x2APIC */
#define FLAG_NAMES "pcid", "invpcid", "emulate", "xapic"
#define FLAG_ALL 15u

/* In the order of KNOB_NAMES. */
#define KNOB_INVLPG_LEAVES_GLOBALS (1u << 0) /* while PCIDE is set */
#define KNOB_INVLPGB_DEAF (1u << 1) /* the last CPU carries no broadcast out */
#define KNOB_TLBSYNC_EARLY (1u << 2) /* TLBSYNC waits for nothing */
#define KNOB_FLUSH_FILTER (1u << 3) /* a reload of CR3 drops nothing if this CPU has written to no table since the last */
#define KNOB_DIRTY_NOT_ATOMIC (1u << 4) /* a walker's write of D is of what it read before */
#define KNOB_PGE_KEEPS (1u << 5) /* a change of CR4.PGE drops nothing */
#define KNOB_NAMES "invlpg-leaves-globals", "invlpgb-deaf", "tlbsync-early", "flush-filter", "dirty-not-atomic", "pge-keeps"
#define KNOB_ALL 63u

#endif
