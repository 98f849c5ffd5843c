/* SPDX-License-Identifier: BSD-2-Clause */
/* One CPU changes x's leaf and loads through x. */
#include "tests/litmus/ops.h"

/* --- a valid entry is taken away: what was held may stay --- */

LITMUS(CoWinvT, .name = "CoWinvT", .help = "an entry is taken away, and nothing is done about it", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(ALLOWED, "3, 10"), ON_ARM64(ALLOWED, "24") } } });

LITMUS(CoWinvT_dsb_isb, .name = "CoWinvT+dsb-isb", .help = "barriers invalidate nothing", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(ALLOWED, "24") } } });

LITMUS(CoWinvT1_dsb_tlbi_dsb_isb, .name = "CoWinvT1+dsb-tlbi-dsb-isb", .help = "the whole sequence", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_PE, DSB, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(FORBIDDEN, "24, 25") } } });

LITMUS(CoWinvT1_dsb_tlbi_dsb, .name = "CoWinvT1+dsb-tlbi-dsb", .help = "without the ISB", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_PE, DSB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(UNDECIDED, "24") },
		      "what the CPU has translated before its ISB is not in the model" } });

LITMUS(CoWinvT1_tlbi_dsb_isb, .name = "CoWinvT1+tlbi-dsb-isb",
       .help = "no DSB before: the old entry may be walked again after the TLBI", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), TLBI_PE, DSB, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(ALLOWED, "24") } } });

LITMUS(CoWinvT1_dsb_tlbi_isb, .name = "CoWinvT1+dsb-tlbi-isb", .help = "no DSB after: the TLBI may be under way still",
       .leaf = OLD, .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_PE, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(ALLOWED, "24") } } });

LITMUS(CoWinvT1_invlpg, .name = "CoWinvT1+invlpg", .help = "INVLPG serialises", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NONE), INVLPG, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(FORBIDDEN, "6, 10") } } });

LITMUS(CoWinvT1_invlpg_first, .name = "CoWinvT1+invlpg-first", .help = "INVLPG before the store", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { INVLPG, W_ENTRY(X_LEAF, NONE), T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(ALLOWED, "3, 12") } } });

/* --- it leads elsewhere --- */

LITMUS(CoWT, .name = "CoWT", .help = "an entry leads elsewhere, and nothing is done about it", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1, .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NEW), T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(ALLOWED, "3, 10"), ON_ARM64(ALLOWED, "24, 27") } } });

LITMUS(CoWT1_dsb_tlbi_dsb_isb, .name = "CoWT1+dsb-tlbi-dsb-isb",
       .help = "the whole sequence, but for break before make", .leaf = OLD, .table = FIRST_TABLE, .holds = 1,
       .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NEW), DSB, TLBI_PE, DSB, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(FORBIDDEN, "24, 25") } } });

LITMUS(CoWT1_invlpg, .name = "CoWT1+invlpg", .help = "a remap and INVLPG", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 1,
       .thread = { { W_ENTRY(X_LEAF, NEW), INVLPG, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(FORBIDDEN, "6, 10") } } });

/* --- it was invalid: nothing can be held --- */

LITMUS(CoWT_inv, .name = "CoWT.inv", .help = "an entry appears, and is walked at once", .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), T(0) } },
       .outcome = { { "fault", IS(0, 0, FAULTS), { ON_X86(ALLOWED, "12"), ON_ARM64(ALLOWED, "26") } } });

LITMUS(CoWT_inv_mfence, .name = "CoWT.inv+mfence", .help = "the store buffer is emptied", .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), MFENCE, T(0) } },
       .outcome = { { "fault", IS(0, 0, FAULTS), { ON_X86(FORBIDDEN, "2, 12") } } });

LITMUS(CoWT_inv_dmb, .name = "CoWT.inv+dmb", .help = "DMB orders no walks", .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), FENCE, T(0) } },
       .outcome = { { "fault", IS(0, 0, FAULTS), { ON_ARM64(ALLOWED, "26") } } });

LITMUS(CoWT_inv_dsb_isb, .name = "CoWT.inv+dsb-isb", .help = "what is needed for an entry that appears",
       .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), DSB, ISB, T(0) } },
       .outcome = { { "fault", IS(0, 0, FAULTS), { ON_ARM64(FORBIDDEN, "19, 26") } } });
