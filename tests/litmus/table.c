/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes of tables. x's way through the first table is cut off, or leads through the other one, whose leaf has changed before. */
#include "tests/litmus/ops.h"

LITMUS(CoWinvT_L2, .name = "CoWinvT.L2", .help = "a table is taken away, and nothing is done about it", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_TABLE, NONE), T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(ALLOWED, "4, 10"), ON_ARM64(ALLOWED, "24") } } });

LITMUS(CoWinvT1_L2_dsb_tlbi_dsb_isb, .name = "CoWinvT1.L2+dsb-tlbi-dsb-isb",
       .help = "a table is taken away, the whole sequence", .leaf = OLD, .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_TABLE, NONE), DSB, TLBI_PE, DSB, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(FORBIDDEN, "21, 24") } } });

LITMUS(CoWinvT1_L2_dsb_tlbi_last_dsb_isb, .name = "CoWinvT1.L2+dsb-tlbi.last-dsb-isb",
       .help = "a table is taken away, TLBI of the last level only: walk caches stay", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_TABLE, NONE), DSB, TLBI_PE_LAST, DSB, ISB, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_ARM64(ALLOWED, "21") } } });

LITMUS(CoWinvT1_L2_invlpg, .name = "CoWinvT1.L2+invlpg", .help = "a table is taken away: INVLPG drops walk caches, too",
       .leaf = OLD, .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_TABLE, NONE), INVLPG, T(0) } },
       .outcome = { { "stale", IS(0, 0, OLD), { ON_X86(FORBIDDEN, "6, 10") } } });

LITMUS(MP_invRT1_L2_dsb_tlbiis_dsb_dsb_isb, .name = "MP.invRT1.L2+dsb-tlbiis-dsb+dsb-isb",
       .help = "a table is taken away, and P1 is told; the whole sequence", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 2,
       .thread = { { W_ENTRY(X_TABLE, NONE), DSB, TLBI_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(FORBIDDEN, "21, 24") } } });

LITMUS(MP_invRT1_L2_dsb_tlbiis_last_dsb_dsb_isb, .name = "MP.invRT1.L2+dsb-tlbiis.last-dsb+dsb-isb",
       .help = "a table is taken away, TLBI of the last level only", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_TABLE, NONE), DSB, TLBI_LAST_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "21") } } });

LITMUS(ROT_inv_dsb, .name = "ROT.inv+dsb",
       .help = "a leaf changes in a table that nobody can walk yet, and then it is hung in", .leaf = OLD,
       .other_leaf = NEW,
       .thread = { { W_ENTRY(X_OTHER_LEAF, THIRD), DSB, W_ENTRY(X_TABLE, OTHER_TABLE) }, { T(0) } },
       .outcome = { { "old leaf", IS(1, 0, NEW), { ON_ARM64(FORBIDDEN, "26") } } });

LITMUS(ROT_inv_po, .name = "ROT.inv+po",
       .help = "a leaf changes in a table, which is hung in without a barrier; on x86 stores and walks are in order",
       .leaf = OLD, .other_leaf = NEW,
       .thread = { { W_ENTRY(X_OTHER_LEAF, THIRD), W_ENTRY(X_TABLE, OTHER_TABLE) }, { T(0) } },
       .outcome = { { "old leaf", IS(1, 0, NEW), { ON_X86(FORBIDDEN, "12"), ON_ARM64(ALLOWED, "26") } } });

LITMUS(ROT1_dsb_dsb_tlbi_dsb_isb, .name = "ROT1+dsb-dsb-tlbi-dsb-isb",
       .help = "a leaf changes in a table, and then it takes the place of the other one", .leaf = OLD,
       .other_leaf = NEW, .table = FIRST_TABLE, .holds = 1, .unbroken = true,
       .thread = { { W_ENTRY(X_OTHER_LEAF, THIRD), DSB, W_ENTRY(X_TABLE, OTHER_TABLE), DSB, TLBI_PE, DSB, ISB, T(0) } },
       .outcome = { { "old leaf", IS(0, 0, NEW), { ON_ARM64(FORBIDDEN, "24, 26") } },
		    { "stale", IS(0, 0, OLD), { ON_ARM64(FORBIDDEN, "24, 25") } } });

LITMUS(ROT1_invlpg, .name = "ROT1+invlpg",
       .help = "a leaf changes in a table, which takes the place of the other one; INVLPG", .leaf = OLD,
       .other_leaf = NEW, .table = FIRST_TABLE, .holds = 1,
       .thread = { { W_ENTRY(X_OTHER_LEAF, THIRD), W_ENTRY(X_TABLE, OTHER_TABLE), INVLPG, T(0) } },
       .outcome = { { "old leaf", IS(0, 0, NEW), { ON_X86(FORBIDDEN, "10, 12") } },
		    { "stale", IS(0, 0, OLD), { ON_X86(FORBIDDEN, "6, 10") } } });
