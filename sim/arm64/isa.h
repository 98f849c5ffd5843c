/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm64's part of sim/model.h: format of entries (Arm ARM D8.3, 4 KiB granule, 48 bits), registers, memory order, what CPUs have,
 * what is broken.
 */
#ifndef SIM_ISA_H
#define SIM_ISA_H

#define ISA_NAME "arm64"

#define PTE_VALID (1ull << 0)
#define PTE_NOT_BLOCK (1ull << 1) /* last level: a page; above: a table */
#define PTE_TYPE (7ull << 2) /* AttrIndx */
#define PTE_USER (1ull << 6) /* AP[1] */
#define PTE_READ_ONLY (1ull << 7) /* AP[2] */
#define PTE_SHARE (3ull << 8)
#define PTE_AF (1ull << 10)
#define PTE_NG (1ull << 11)
#define PTE_CONTIGUOUS (1ull << 52) /* one of 16 */
#define PTE_NO_EXEC (3ull << 53) /* PXN, UXN */
#define PTE_IGNORED (15ull << 55) /* software's */
#define PTE_TABLE_NO_USER (1ull << 61) /* APTable */
#define PTE_TABLE_READ_ONLY (1ull << 62)
#define PTE_ADDR 0x0000fffffffff000ull
#define PTE_VOLATILE PTE_AF /* what walkers change */

#define TTBR_CNP 1ull

#define STORE_BUFFER 8
#define STORES_IN_ORDER 0 /* they leave the buffer so */
#define LATE_LOADS 1 /* loads may return what memory was before */
#define ROOTS 3 /* TTBR0 as last synchronized, and as written since */
#define SEEN 24
#define DEPENDENCIES 8
#define WRITES 128
#define LATE 64
#define BY_ADDRESS 24
#define PAST 32

/* A store that has not been performed. */
struct store {
	u64 *at;
	u64 value;
	u32 epoch; /* DMBs that came before it */
	bool release;
};

/* Knob late-store: a store that went through a translation and has not been performed. */
struct held {
	bool on;
	u64 pa, value;
	struct tlb_entry by;
	u64 met, passed; /* by CPU mod 64: its TLBI has taken the translation away; and its DSB has returned */
};

/* A table entry that was valid when this CPU walked to it for va under that tag. */
struct by_address {
	u64 *slot, entry, va, since; /* since: TLBIs before that */
	u32 table_gen, gen; /* of the table's frame then, and of the one that the entry leads to */
	u16 tag;
	u8 shift;
	bool leaf, global;
};

struct isa_cpu {
	/* memory.c */
	struct store stores[STORE_BUFFER];
	unsigned nr_stores;
	u32 epoch; /* DMBs so far */
	u64 floor; /* loads from now on are performed then or later */
	u64 done; /* when the last one of earlier accesses was performed */
	u64 released; /* when the last STLR was: no LDAR is performed before that */
	struct {
		const u64 *at;
		u64 time;
	} seen[SEEN]; /* words that were accessed, and when last */
	struct {
		u64 value, time;
	} dependency[DEPENDENCIES]; /* what was loaded, and when */
	unsigned nr_seen, nr_dependencies;
	u64 known; /* of model.isa.late: what this CPU has stored, or seen the effects of */
	struct held held; /* held.c */
	struct by_address by_address[BY_ADDRESS]; /* by_address.c */
	unsigned nr_by_address;
	struct invalidation past[PAST]; /* TLBI number n is past[n % PAST] */
	u64 nr_past;
	bool issued; /* invalidate.c: a broadcast since the last DSB */
	/* access.c */
	u64 ttbr1, ttbr0[ROOTS]; /* the last one is what was written last */
	u32 ttbr1_gen, root_gen[ROOTS]; /* of the root's frame when it was written */
	unsigned nr_ttbr0, use; /* use: which the access or walk at hand goes by */
};

/* Write number n is writes[n % WRITES]. */
struct write {
	const u64 *at;
	u64 old;
	u64 known; /* the writer's */
};

/* A store to a table that walks may not see yet: no DSB of a CPU that knows of it has come. */
struct late {
	const u64 *at; /* NULL: unused */
	u64 old;
	u64 time;
	u16 by;
};

struct isa_model {
	u64 time; /* writes to memory so far */
	struct write writes[WRITES];
	struct late late[LATE];
};

#define HAS_RANGE (1u << 0) /* FEAT_TLBIRANGE */
#define HAS_HAF (1u << 1) /* walkers set the access flag */
#define HAS_ASID16 (1u << 2)
#define HAS_BY_ADDRESS (1u << 3) /* no FEAT_nTLBPA: table entries may be cached by their address */

/* In the order of FLAG_NAMES. */
#define FLAG_NO_RANGE (1u << 0)
#define FLAG_NO_HAF (1u << 1)
#define FLAG_ASID8 (1u << 2) /* ASIDs of 8 bits */
#define FLAG_GICV2 (1u << 3) /* interrupt commands are stores to a device */
#define FLAG_REPEAT (1u << 4) /* not the CPU's: the kernel repeats TLBI and DSB */
#define FLAG_BY_ADDRESS (1u << 5)
#define FLAG_NAMES "no-tlbirange", "no-haf", "asid8", "gicv2", "repeat-tlbi", "tlbpa"
#define FLAG_ALL 63u

/* In the order of KNOB_NAMES. */
#define KNOB_CLUSTER (1u << 0) /* broadcasts stay in the issuer's half of the CPUs */
#define KNOB_DSB_EARLY (1u << 1) /* a DSB does not wait for what was broadcast since the DSB before */
#define KNOB_LATE_STORE (1u << 2) /* a DSB after TLBI does not wait for a store that went through what is gone */
#define KNOB_CNP (1u << 3) /* a local TLBI leaves what another CPU has filled and this one uses */
#define KNOB_NAMES "tlbi-stops-at-cluster", "dsb-early", "late-store", "cnp-broken"
#define KNOB_ALL 15u

#endif
