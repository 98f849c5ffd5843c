/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Break before make: x is taken away, dropped everywhere, and mapped again. P1 may be told by a message, or by x itself. "fault":
 * it finds the entry still broken.
 */
#include "tests/litmus/ops.h"

LITMUS(MP_BBM1_dsb_tlbiis_dsb_dsb_dsb_isb, .name = "MP.BBM1+dsb-tlbiis-dsb-dsb+dsb-isb", .help = "the whole sequence",
       .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, DSB, W_ENTRY(X_LEAF, NEW), DSB, W(Y, 1) },
		   { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(FORBIDDEN, "25, 27") } },
		    { "fault", IS(1, 1, FAULTS), { ON_ARM64(FORBIDDEN, "26") } } });

LITMUS(MP_BBM1_dmb_tlbiis_dmb_dmb_dmb, .name = "MP.BBM1+dmb-tlbiis-dmb-dmb+dmb",
       .help = "DMB waits for no TLBI and orders no walks", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), FENCE, TLBI_IS, FENCE, W_ENTRY(X_LEAF, NEW), FENCE, W(Y, 1) },
		   { R(Y, 0), FENCE, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "24") } },
		    { "fault", IS(1, 1, FAULTS), { ON_ARM64(ALLOWED, "26") } } });

LITMUS(MP_BBM1_dsb_tlbiis_dsb_po_dsb_isb, .name = "MP.BBM1+dsb-tlbiis-dsb-po+dsb-isb",
       .help = "no barrier between make and message", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, DSB, W_ENTRY(X_LEAF, NEW), W(Y, 1) },
		   { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(FORBIDDEN, "25, 27") } },
		    { "fault", IS(1, 1, FAULTS), { ON_ARM64(ALLOWED, "26") } } });

LITMUS(MP_BBM1_same_frame_dsb_tlbiis_dsb_dsb_dsb_isb, .name = "MP.BBM1.same-frame+dsb-tlbiis-dsb-dsb+dsb-isb",
       .help = "the same frame as before: what is held does not differ", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, DSB, W_ENTRY(X_LEAF, OLD), DSB, W(Y, 1) },
		   { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "fault", IS(1, 1, FAULTS), { ON_ARM64(FORBIDDEN, "26") } } });

LITMUS(MP_BBM1_same_frame_dsb_tlbiis_dsb_po_dsb_isb, .name = "MP.BBM1.same-frame+dsb-tlbiis-dsb-po+dsb-isb",
       .help = "the same frame as before, and no barrier between make and message", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, DSB, W_ENTRY(X_LEAF, OLD), W(Y, 1) },
		   { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "fault", IS(1, 1, FAULTS), { ON_ARM64(ALLOWED, "26") } } });

LITMUS(BBM1_TT_dsb_tlbiis_dsb_dsb_isb, .name = "BBM1.TT+dsb-tlbiis-dsb+dsb-isb",
       .help = "x is the message: who has seen the new frame does not see the old one", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, DSB, W_ENTRY(X_LEAF, NEW) }, { T(0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, NEW) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(FORBIDDEN, "25, 27") } } });

LITMUS(BBM_TT_dsb_dsb_isb, .name = "BBM.TT+dsb+dsb-isb", .help = "break and make without the TLBI", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2, .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, W_ENTRY(X_LEAF, NEW) }, { T(0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, NEW) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "27") }, "one entry for an address at a time" } });

LITMUS(CoTT, .name = "CoTT", .help = "two loads in a row", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NEW) }, { T(0), T(1) } }, .premise = { IS(1, 0, NEW) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "27") }, "one entry for an address at a time" } });
